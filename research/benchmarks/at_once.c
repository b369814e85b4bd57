/* A Gomocup brain that answers at once: it plays the first empty point, row by row. */

#include <stdio.h>
#include <string.h>

static char taken[25 * 25];
static int size, next;

static void clear(void)
{
    memset(taken, 0, sizeof taken);
    next = 0;
}

static void take(const char *text)
{
    int x, y;
    if (sscanf(text, "%d,%d", &x, &y) == 2 && x >= 0 && x < size && y >= 0 && y < size)
        taken[y * size + x] = 1;
}

static void play(void)
{
    while (next < size * size - 1 && taken[next])
        next++;
    taken[next] = 1;
    printf("%d,%d\n", next % size, next / size);
}

static void board(char *line, int room)
{
    clear();
    while (fgets(line, room, stdin) && strncmp(line, "DONE", 4))
        take(line);
    play();
}

int main(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "TURN ", 5)) {
            take(line + 5);
            play();
        } else if (!strncmp(line, "BOARD", 5)) {
            board(line, sizeof line);
        } else if (!strncmp(line, "BEGIN", 5)) {
            play();
        } else if (sscanf(line, "START %d", &size) == 1 && size >= 5 && size <= 25) {
            clear();
            puts("OK");
        } else if (!strncmp(line, "RESTART", 7)) {
            clear();
            puts("OK");
        } else if (!strncmp(line, "ABOUT", 5)) {
            puts("name=\"at once\", version=\"1.0\", author=\"gomoku-arena\", country=\"\"");
        } else if (!strncmp(line, "END", 3)) {
            return 0;
        } else if (strncmp(line, "INFO", 4)) {
            puts("UNKNOWN command");
        }
        fflush(stdout);
    }
    return 0;
}
