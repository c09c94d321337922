/* A disk that forgets what was not synced, put in front of the C library by LD_PRELOAD.
 *
 * Files below LINEUP_DISK (but for *-shm, which no disk keeps, and *.lock) behave as always. Beside them LINEUP_SYNCED
 * holds what a power cut would leave: `data/INODE` is a file's content as of its last sync, and its name is linked into
 * `image/` when the folder that has it is synced; names go and change there only then. What is there at the first open
 * counts as synced. What this does not know how to follow, it ends the process for.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define FILES 64
#define NAMES 256
#define DESCRIPTORS 1024

struct change { char name[256]; ino_t inode; }; /* inode 0: the name goes */

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct change pending[NAMES];
static int pending_count;
static ino_t known[FILES];
static int known_count;
static ino_t inode_of[DESCRIPTORS]; /* 0: not followed */
static char is_folder[DESCRIPTORS];
static const char *disk, *synced;

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static void give_up(const char *why) {
    dprintf(2, "power_loss: %s\n", why);
    abort();
}

static const char *name_below(const char *path) {
    if (!disk) disk = getenv("LINEUP_DISK"), synced = getenv("LINEUP_SYNCED");
    if (!disk || !synced || !path) return NULL;
    size_t length = strlen(disk);
    if (strncmp(path, disk, length) || path[length] != '/') return NULL;
    const char *name = path + length + 1;
    size_t end = strlen(name);
    if (!end || strchr(name, '/')) return NULL;
    if ((end > 4 && !strcmp(name + end - 4, "-shm")) || (end > 5 && !strcmp(name + end - 5, ".lock"))) return NULL;
    return name;
}

static void data_path(char *into, ino_t inode) { snprintf(into, 512, "%s/data/%lu", synced, (unsigned long)inode); }
static void image_path(char *into, const char *name) { snprintf(into, 512, "%s/image/%s", synced, name); }

static void copy_whole(int from, ino_t inode) {
    char path[512], block[65536];
    data_path(path, inode);
    int to = open(path, O_WRONLY | O_CREAT, 0600);
    if (to < 0) give_up("cannot keep a file");
    off_t at = 0;
    ssize_t got;
    while ((got = pread(from, block, sizeof block, at)) > 0) {
        if (pwrite(to, block, got, at) != got) give_up("cannot keep what was synced");
        at += got;
    }
    if (ftruncate(to, at)) give_up("cannot keep a size");
    close(to);
}

static void change_name(const char *name, ino_t inode) {
    if (pending_count == NAMES) give_up("too many names");
    snprintf(pending[pending_count].name, sizeof pending[0].name, "%s", name);
    pending[pending_count++].inode = inode;
}

static void sync_names(void) {
    char from[512], to[512];
    for (int i = 0; i < pending_count; i++) {
        image_path(to, pending[i].name);
        unlink(to);
        if (!pending[i].inode) continue;
        data_path(from, pending[i].inode);
        int made = open(from, O_WRONLY | O_CREAT, 0600); /* a name may be synced before any content */
        if (made >= 0) close(made);
        if (link(from, to)) give_up("cannot link a name");
    }
    pending_count = 0;
}

static void follow(int fd, const char *path, int existed) {
    const char *name = name_below(path);
    struct stat found;
    if (fd < 0 || fd >= DESCRIPTORS) { if (fd >= DESCRIPTORS && name) give_up("too many descriptors"); return; }
    pthread_mutex_lock(&lock);
    inode_of[fd] = 0;
    is_folder[fd] = disk && path && !strcmp(path, disk);
    if (name && !fstat(fd, &found)) {
        inode_of[fd] = found.st_ino;
        int seen = 0;
        for (int i = 0; i < known_count; i++) seen |= known[i] == found.st_ino;
        if (!seen || !existed) {
            if (!seen) {
                if (known_count == FILES) give_up("too many files");
                known[known_count++] = found.st_ino;
            }
            if (!existed) { /* the system may give a number again */
                char old[512];
                data_path(old, found.st_ino);
                unlink(old);
            }
            change_name(name, found.st_ino);
            if (existed) {
                char again[64];
                snprintf(again, sizeof again, "/proc/self/fd/%d", fd);
                int reader = open(again, O_RDONLY);
                copy_whole(reader, found.st_ino);
                close(reader);
                sync_names();
            }
        }
    }
    pthread_mutex_unlock(&lock);
}

static int open_followed(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    struct stat found;
    int existed = name_below(path) && !stat(path, &found);
    if (existed && (flags & O_TRUNC) && found.st_size) give_up("a store is cut while it is opened");
    int fd = real(path, flags, mode);
    follow(fd, path, existed);
    return fd;
}

static mode_t mode_in(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

int open(const char *path, int flags, ...) {
    REAL(open);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_in(flags, rest);
    va_end(rest);
    return open_followed(real, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    REAL(open64);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_in(flags, rest);
    va_end(rest);
    return open_followed(real, path, flags, mode);
}

int close(int fd) {
    REAL(close);
    if (fd >= 0 && fd < DESCRIPTORS) inode_of[fd] = 0, is_folder[fd] = 0;
    return real(fd);
}

static int sync_followed(int fd) {
    pthread_mutex_lock(&lock);
    if (fd >= 0 && fd < DESCRIPTORS && inode_of[fd]) {
        char again[64];
        snprintf(again, sizeof again, "/proc/self/fd/%d", fd);
        int reader = open(again, O_RDONLY);
        copy_whole(reader, inode_of[fd]);
        close(reader);
    }
    if (fd >= 0 && fd < DESCRIPTORS && is_folder[fd]) sync_names();
    pthread_mutex_unlock(&lock);
    return 0;
}

int fsync(int fd) { return sync_followed(fd); }
int fdatasync(int fd) { return sync_followed(fd); }

int unlink(const char *path) {
    REAL(unlink);
    const char *name = name_below(path);
    int done = real(path);
    if (!done && name) {
        pthread_mutex_lock(&lock);
        change_name(name, 0);
        pthread_mutex_unlock(&lock);
    }
    return done;
}

int rename(const char *from, const char *to) {
    REAL(rename);
    if (name_below(from) || name_below(to)) give_up("a store is renamed");
    return real(from, to);
}

void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    REAL(mmap64);
    if (fd >= 0 && fd < DESCRIPTORS && inode_of[fd] && (protection & PROT_WRITE)) give_up("a store is mapped to write");
    return real(at, length, protection, flags, fd, offset);
}
