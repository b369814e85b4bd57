// A page of something that is not there yet, or no longer: it looks again by itself.

import { Refusal, asked, keepAsking } from "./poll.js";

const RETRY_WAIT = 2000;

keepAsking(async () => {
  try {
    await asked(location.href);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return RETRY_WAIT;
    throw error;
  }
  location.reload();
  return RETRY_WAIT;
}, document.getElementById("trouble"));
