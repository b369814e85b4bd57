/* The least that a manager of two brains can do: it hands each one's move to the other.

   ping_pong BRAIN GAMES PLIES: no rules, no clock, no fault is looked at. It prints the CPU
   seconds that itself and its brains have taken. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct brain {
    int in, out;
};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static struct brain start(const char *program)
{
    int in[2], out[2];
    if (pipe(in) || pipe(out))
        fail("pipe");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (!child) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        for (int other = 3; other < 16; other++)
            close(other);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    return (struct brain){in[1], out[0]};
}

static void tell(struct brain brain, const char *text, size_t length)
{
    if (write(brain.in, text, length) != (ssize_t)length)
        fail("write");
}

/* Read one line. */
static size_t hear(struct brain brain, char *line, size_t room)
{
    size_t have = 0;
    do {
        ssize_t count = read(brain.out, line + have, room - have);
        if (count <= 0)
            fail("read");
        have += count;
    } while (line[have - 1] != '\n');
    return have - 1;
}

static void play(struct brain *brains, int plies)
{
    char text[64] = "BEGIN\r\n";
    size_t length = 7;
    for (int ply = 0; ply < plies; ply++) {
        struct brain mover = brains[ply % 2];
        tell(mover, text, length);
        size_t heard = hear(mover, text + 5, sizeof text - 8);
        memcpy(text, "TURN ", 5);
        memcpy(text + 5 + heard, "\r\n", 2);
        length = 5 + heard + 2;
    }
}

static double seconds(int who)
{
    struct rusage used;
    getrusage(who, &used);
    return used.ru_utime.tv_sec + used.ru_stime.tv_sec +
           (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

int main(int count, char **words)
{
    char line[64];
    if (count != 4)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    struct brain brains[2] = {start(words[1]), start(words[1])};
    for (int seat = 0; seat < 2; seat++) {
        tell(brains[seat], "START 15\r\n", 10);
        hear(brains[seat], line, sizeof line);
    }
    for (int game = atoi(words[2]); game > 0; game--) {
        play(brains, atoi(words[3]));
        for (int seat = 0; seat < 2; seat++) {
            tell(brains[seat], "RESTART\r\n", 9);
            hear(brains[seat], line, sizeof line);
        }
    }
    for (int seat = 0; seat < 2; seat++)
        tell(brains[seat], "END\r\n", 5);
    while (wait(NULL) > 0)
        ;
    printf("%.6f %.6f\n", seconds(RUSAGE_SELF), seconds(RUSAGE_CHILDREN));
    return 0;
}
