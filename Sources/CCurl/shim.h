// libcurl for Swift: its types, its constants, the table of its functions, and wrappers for its variadic functions.
#ifndef OMBI_CCURL_SHIM_H
#define OMBI_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>

// Every function of libcurl that OmbiCore calls: its name in Swift, its name in curl.h. The types come from curl.h.
#define OMB_CURL_FUNCTIONS(X) \
    X(globalInit, curl_global_init) \
    X(versionInfo, curl_version_info) \
    X(easyInit, curl_easy_init) \
    X(easyReset, curl_easy_reset) \
    X(easyCleanup, curl_easy_cleanup) \
    X(easySetopt, curl_easy_setopt) \
    X(easyGetinfo, curl_easy_getinfo) \
    X(easyStrerror, curl_easy_strerror) \
    X(easyPause, curl_easy_pause) \
    X(multiInit, curl_multi_init) \
    X(multiCleanup, curl_multi_cleanup) \
    X(multiAdd, curl_multi_add_handle) \
    X(multiRemove, curl_multi_remove_handle) \
    X(multiPerform, curl_multi_perform) \
    X(multiPoll, curl_multi_poll) \
    X(multiWakeup, curl_multi_wakeup) \
    X(multiInfoRead, curl_multi_info_read) \
    X(multiStrerror, curl_multi_strerror) \
    X(multiSocketAction, curl_multi_socket_action) \
    X(multiSetoptFunction, curl_multi_setopt) \
    X(easySend, curl_easy_send) \
    X(easyReceive, curl_easy_recv) \
    X(listAppend, curl_slist_append) \
    X(listFree, curl_slist_free_all) \
    X(shareInit, curl_share_init) \
    X(shareCleanup, curl_share_cleanup) \
    X(shareSetoptFunction, curl_share_setopt) \
    X(urlInit, curl_url) \
    X(urlCleanup, curl_url_cleanup) \
    X(urlSet, curl_url_set) \
    X(urlGet, curl_url_get) \
    X(free, curl_free)

// The addresses of the functions. They never change once they are found, so any thread may use them.
typedef struct __attribute__((swift_attr("@Sendable"))) {
#define OMB_MEMBER(name, function) __typeof__(&function) _Nonnull name;
    OMB_CURL_FUNCTIONS(OMB_MEMBER)
#undef OMB_MEMBER
} omb_curl_functions;

// Finds the functions in a library that was loaded. Returns the name of one that it does not have; else NULL.
static inline const char *_Nullable omb_curl_load(omb_curl_functions *_Nonnull table, void *_Nonnull library) {
    void *address;
#define OMB_MEMBER(name, function) \
    address = dlsym(library, #function); \
    if (!address) return #function; \
    table->name = (__typeof__(table->name))address;
    OMB_CURL_FUNCTIONS(OMB_MEMBER)
#undef OMB_MEMBER
    return NULL;
}

// Takes the functions that the program is linked with. Nothing but the trait LinkedCurl may call it: whoever does
// has to be linked with libcurl.
static inline void omb_curl_link(omb_curl_functions *_Nonnull table) {
#define OMB_MEMBER(name, function) table->name = function;
    OMB_CURL_FUNCTIONS(OMB_MEMBER)
#undef OMB_MEMBER
}

typedef CURLcode (*omb_setopt_function)(CURL *, CURLoption, ...);
typedef CURLcode (*omb_getinfo_function)(CURL *, CURLINFO, ...);
typedef CURLMcode (*omb_multi_setopt_function)(CURLM *, CURLMoption, ...);
typedef CURLSHcode (*omb_share_setopt_function)(CURLSH *, CURLSHoption, ...);

typedef size_t (*omb_data_callback)(char *, size_t, size_t, void *);
typedef int (*omb_progress_callback)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
typedef int (*omb_seek_callback)(void *, curl_off_t, int);
typedef int (*omb_prereq_callback)(void *, char *, char *, int, int);
typedef curl_socket_t (*omb_open_socket_callback)(void *, curlsocktype, struct curl_sockaddr *);
typedef int (*omb_resolver_callback)(void *, void *, void *);
typedef CURLcode (*omb_tls_callback)(CURL *, void *, void *);
typedef int (*omb_watch_callback)(CURL *, curl_socket_t, int, void *, void *);
typedef int (*omb_timer_callback)(CURLM *, long, void *);

// Tells the processor that a loop waits for another thread.
static inline void omb_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

static inline CURLcode omb_setopt_long(void *f, CURL *handle, CURLoption option, long value) {
    return ((omb_setopt_function)f)(handle, option, value);
}
static inline CURLcode omb_setopt_off(void *f, CURL *handle, CURLoption option, curl_off_t value) {
    return ((omb_setopt_function)f)(handle, option, value);
}
static inline CURLcode omb_setopt_pointer(void *f, CURL *handle, CURLoption option, const void *value) {
    return ((omb_setopt_function)f)(handle, option, value);
}
static inline CURLcode omb_setopt_data(void *f, CURL *handle, CURLoption option, omb_data_callback value) {
    return ((omb_setopt_function)f)(handle, option, value);
}
static inline CURLcode omb_setopt_progress(void *f, CURL *handle, omb_progress_callback value) {
    return ((omb_setopt_function)f)(handle, CURLOPT_XFERINFOFUNCTION, value);
}
static inline CURLcode omb_setopt_seek(void *f, CURL *handle, omb_seek_callback value) {
    return ((omb_setopt_function)f)(handle, CURLOPT_SEEKFUNCTION, value);
}
static inline CURLcode omb_setopt_prereq(void *f, CURL *handle, omb_prereq_callback value) {
    return ((omb_setopt_function)f)(handle, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode omb_setopt_open_socket(void *f, CURL *handle, omb_open_socket_callback value) {
    return ((omb_setopt_function)f)(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode omb_setopt_resolver(void *f, CURL *handle, omb_resolver_callback value) {
    return ((omb_setopt_function)f)(handle, CURLOPT_RESOLVER_START_FUNCTION, value);
}
static inline CURLcode omb_setopt_tls(void *f, CURL *handle, omb_tls_callback value) {
    return ((omb_setopt_function)f)(handle, CURLOPT_SSL_CTX_FUNCTION, value);
}

static inline CURLSHcode omb_share_setopt_long(void *f, CURLSH *share, CURLSHoption option, long value) {
    return ((omb_share_setopt_function)f)(share, option, value);
}

static inline CURLMcode omb_multi_setopt_watch(void *f, CURLM *multi, omb_watch_callback value, void *context) {
    CURLMcode code = ((omb_multi_setopt_function)f)(multi, CURLMOPT_SOCKETFUNCTION, value);
    return code ? code : ((omb_multi_setopt_function)f)(multi, CURLMOPT_SOCKETDATA, context);
}
static inline CURLMcode omb_multi_setopt_timer(void *f, CURLM *multi, omb_timer_callback value, void *context) {
    CURLMcode code = ((omb_multi_setopt_function)f)(multi, CURLMOPT_TIMERFUNCTION, value);
    return code ? code : ((omb_multi_setopt_function)f)(multi, CURLMOPT_TIMERDATA, context);
}

static inline CURLcode omb_getinfo_long(void *f, CURL *handle, CURLINFO info, long *value) {
    return ((omb_getinfo_function)f)(handle, info, value);
}
static inline CURLcode omb_getinfo_off(void *f, CURL *handle, CURLINFO info, curl_off_t *value) {
    return ((omb_getinfo_function)f)(handle, info, value);
}
static inline CURLcode omb_getinfo_pointer(void *f, CURL *handle, CURLINFO info, void *value) {
    return ((omb_getinfo_function)f)(handle, info, value);
}
static inline CURLcode omb_getinfo_text(void *f, CURL *handle, CURLINFO info, const char **value) {
    return ((omb_getinfo_function)f)(handle, info, value);
}

static inline CURLMcode omb_multi_setopt_long(void *f, CURLM *handle, CURLMoption option, long value) {
    return ((omb_multi_setopt_function)f)(handle, option, value);
}

// A socket that programs started meanwhile do not get. -1 and errno when there is none.
static inline int omb_socket(int family, int type, int protocol) {
#ifdef SOCK_CLOEXEC
    return socket(family, type | SOCK_CLOEXEC, protocol);
#else
    int result = socket(family, type, protocol);
    if (result >= 0) fcntl(result, F_SETFD, FD_CLOEXEC);
    return result;
#endif
}

// Since 7.87: do not wait for a name lookup that nobody needs any more. Older libraries refuse the number.
static const CURLoption OMB_OPT_QUICK_EXIT = (CURLoption)322;

// Values of CURLOPT_HTTPAUTH, whose casts Swift cannot import. Each alone keeps libcurl from any other scheme.
static const long OMB_AUTH_NEGOTIATE = (long)CURLAUTH_NEGOTIATE;
static const long OMB_AUTH_NTLM = (long)CURLAUTH_NTLM;

// What zlib and zstd take, as their headers declare it: whoever builds Ombi needs no more packages for it.
typedef struct {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *allocate;
    void *release;
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} omb_zlib_stream;

typedef struct {
    const void *bytes;
    size_t size;
    size_t position;
} omb_zstd_input;

typedef struct {
    void *bytes;
    size_t size;
    size_t position;
} omb_zstd_output;

static inline CURLcode omb_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
