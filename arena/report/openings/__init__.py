"""Sets of openings compared, and openings ranked, by the games on them."""
