/* A witness of all that a program does to a disk, put in front of the C library by LD_PRELOAD.
 *
 * Files and folders below LINEUP_DISK (but for *-shm, which holds nothing) behave as always, but nothing waits for a
 * disk: what is done there is appended to LINEUP_LOG, in order, and so is what the program says on its stdout. What a
 * power cut at any place of that log may leave is worked out from it (disk.py). What this does not know how to follow,
 * it ends the process for.
 *
 * A record: struct record, then the name, then the data. A name is a path below the disk; that of the disk is empty.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS 1024

/* kind: C a file is made, M a folder is made, U a name goes, R a name becomes another (old, NUL, new), W a write,
 * T a file is cut or grows to a size, S a file or folder is synced, A something is said, B a process begins */
struct record { uint32_t kind, name_length; uint64_t inode, offset, data_length; };

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static const char *disk;
static size_t disk_length;
static int log_fd = -1;
static pid_t owner;
static struct stat out;
static ino_t inode_of[DESCRIPTORS]; /* 0: not followed */

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static void give_up(const char *why) {
    dprintf(2, "power_loss: %s\n", why);
    abort();
}

/* A child does nothing to the disk, and one of vfork has the tables of its parent. */
static int is_watched(void) { return disk && log_fd >= 0 && getpid() == owner; }
static int is_followed(int fd) { return fd >= 0 && fd < DESCRIPTORS && inode_of[fd] && is_watched(); }

static const char *name_below(const char *path) {
    if (!path || !is_watched() || strncmp(path, disk, disk_length)) return NULL;
    if (path[disk_length] == 0) return path + disk_length;
    if (path[disk_length] != '/') return NULL;
    size_t length = strlen(path);
    if (strstr(path, "/../") || strstr(path, "/./") || strstr(path, "//")) give_up("a path goes astray");
    if (length > 4 && !strcmp(path + length - 4, "-shm")) return NULL;
    return path + disk_length + 1;
}

static void note(uint32_t kind, const char *name, size_t name_length, ino_t inode, off_t offset, const void *data,
                 size_t length) {
    struct record head = {kind, name_length, inode, offset, length};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)name, name_length}, {(void *)data, length}};
    static ssize_t (*real)(int, const struct iovec *, int);
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "writev");
    if (real(log_fd, parts, 3) != (ssize_t)(sizeof head + name_length + length)) give_up("cannot write its log");
}

static void note_name(uint32_t kind, const char *name, ino_t inode) {
    note(kind, name, strlen(name), inode, 0, NULL, 0);
}

__attribute__((constructor)) static void begin(void) {
    const char *log = getenv("LINEUP_LOG");
    disk = getenv("LINEUP_DISK");
    if (!disk || !log || fstat(1, &out)) { disk = NULL; return; }
    disk_length = strlen(disk);
    int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    log_fd = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTORS);
    if (log_fd < 0) give_up("cannot write its log");
    close(fd);
    owner = getpid();
    note_name('B', "", 0);
}

static int open_followed(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    const char *name = name_below(path);
    if (!name) return real(path, flags, mode);
    struct stat found;
    if (flags & (O_TMPFILE & ~O_DIRECTORY)) give_up("a file has no name");
    pthread_mutex_lock(&lock);
    int existed = !stat(path, &found);
    int fd = real(path, flags, mode);
    if (fd >= DESCRIPTORS) give_up("too many descriptors");
    if (fd >= 0) {
        if (fstat(fd, &found)) give_up("cannot look at a file");
        inode_of[fd] = found.st_ino;
        if (!existed) note_name('C', name, found.st_ino);
        else if (flags & O_TRUNC) note('T', "", 0, found.st_ino, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return fd;
}

static mode_t mode_in(int flags, va_list rest) {
    return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(rest, mode_t) : 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = mode_in(flags, rest); \
        va_end(rest); \
        return open_followed(real, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    REAL(close);
    if (is_followed(fd)) inode_of[fd] = 0;
    return real(fd);
}

/* -- what is written, and what is said */
ssize_t write(int fd, const void *data, size_t length) {
    REAL(write);
    struct stat found;
    int says = !is_followed(fd) && is_watched() && fd != log_fd && !fstat(fd, &found) && S_ISFIFO(found.st_mode) &&
               found.st_dev == out.st_dev && found.st_ino == out.st_ino;
    if (!says && !is_followed(fd)) return real(fd, data, length);
    pthread_mutex_lock(&lock);
    off_t end = says ? 0 : lseek(fd, 0, SEEK_CUR);
    if (!says && fcntl(fd, F_GETFL) & O_APPEND) end = lseek(fd, 0, SEEK_END);
    ssize_t done = real(fd, data, length);
    int error = errno;
    if (done > 0) note(says ? 'A' : 'W', "", 0, says ? 0 : inode_of[fd], end, data, done);
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

#define PWRITE(name, offset_t) \
    ssize_t name(int fd, const void *data, size_t length, offset_t offset) { \
        REAL(name); \
        if (!is_followed(fd)) return real(fd, data, length, offset); \
        pthread_mutex_lock(&lock); \
        ssize_t done = real(fd, data, length, offset); \
        if (done > 0) note('W', "", 0, inode_of[fd], offset, data, done); \
        pthread_mutex_unlock(&lock); \
        return done; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FTRUNCATE(name, offset_t) \
    int name(int fd, offset_t size) { \
        REAL(name); \
        if (!is_followed(fd)) return real(fd, size); \
        pthread_mutex_lock(&lock); \
        int done = real(fd, size); \
        if (!done) note('T', "", 0, inode_of[fd], size, NULL, 0); \
        pthread_mutex_unlock(&lock); \
        return done; \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
    int name(int fd) { \
        REAL(name); \
        if (!is_followed(fd)) return real(fd); \
        pthread_mutex_lock(&lock); \
        note('S', "", 0, inode_of[fd], 0, NULL, 0); \
        pthread_mutex_unlock(&lock); \
        return 0; \
    }
SYNC(fsync)
SYNC(fdatasync)

/* -- names */
int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    const char *name = name_below(path);
    struct stat found;
    pthread_mutex_lock(&lock);
    int done = real(path, mode), error = errno;
    if (!done && name) {
        if (stat(path, &found)) give_up("cannot look at a folder");
        note_name('M', name, found.st_ino);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

#define REMOVE(name) \
    int name(const char *path) { \
        REAL(name); \
        const char *below = name_below(path); \
        pthread_mutex_lock(&lock); \
        int done = real(path); \
        if (!done && below) note_name('U', below, 0); \
        pthread_mutex_unlock(&lock); \
        return done; \
    }
REMOVE(unlink)
REMOVE(rmdir)

int rename(const char *from, const char *to) {
    REAL(rename);
    const char *old = name_below(from), *new = name_below(to);
    if (!old != !new) give_up("a file moves to or from the disk");
    pthread_mutex_lock(&lock);
    int done = real(from, to);
    if (!done && old) {
        char both[8192];
        int length = snprintf(both, sizeof both, "%s%c%s", old, 0, new);
        note('R', both, length, 0, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

/* -- what is not followed */
#define REFUSE(result, name, parameters, arguments, is_ours) \
    result name parameters { \
        REAL(name); \
        if (is_ours) give_up(#name " is not followed"); \
        return real arguments; \
    }
REFUSE(void *, mmap, (void *at, size_t length, int protection, int flags, int fd, off_t offset),
       (at, length, protection, flags, fd, offset), (protection & PROT_WRITE) && (flags & MAP_SHARED) && is_followed(fd))
REFUSE(void *, mmap64, (void *at, size_t length, int protection, int flags, int fd, off64_t offset),
       (at, length, protection, flags, fd, offset), (protection & PROT_WRITE) && (flags & MAP_SHARED) && is_followed(fd))
REFUSE(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count), is_followed(fd))
REFUSE(ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t offset), (fd, parts, count, offset),
       is_followed(fd))
REFUSE(int, fallocate, (int fd, int mode, off_t offset, off_t length), (fd, mode, offset, length), is_followed(fd))
REFUSE(int, posix_fallocate, (int fd, off_t offset, off_t length), (fd, offset, length), is_followed(fd))
REFUSE(int, dup, (int fd), (fd), is_followed(fd))
REFUSE(int, dup2, (int fd, int to), (fd, to), is_followed(fd) || is_followed(to))
REFUSE(int, link, (const char *from, const char *to), (from, to), name_below(from) || name_below(to))
REFUSE(int, symlink, (const char *from, const char *to), (from, to), name_below(to))
REFUSE(int, truncate, (const char *path, off_t size), (path, size), name_below(path))
REFUSE(int, renameat, (int old, const char *from, int new, const char *to), (old, from, new, to),
       is_followed(old) || is_followed(new) || name_below(from) || name_below(to))
REFUSE(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags),
       is_followed(folder) || name_below(path))
REFUSE(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode),
       is_followed(folder) || name_below(path))
