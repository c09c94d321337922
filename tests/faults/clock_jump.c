/* Put in front of the C library: the wall clock is as many seconds ahead as the file named by LINEUP_JUMP says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int (*real)(clockid_t, struct timespec *);
static int jump = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("LINEUP_JUMP");
    real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    if (path)
        jump = open(path, O_RDONLY | O_CLOEXEC);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    char text[32] = "";
    int failed = real(clock, now);
    if (!failed && clock == CLOCK_REALTIME && jump >= 0 && pread(jump, text, sizeof text - 1, 0) > 0)
        now->tv_sec += atol(text);
    return failed;
}
