// libcurl for Swift: its types, its constants, and wrappers for its variadic functions. Nothing is linked: the library
// is loaded when the first request is sent, so each wrapper takes the address of the function that it calls.
#ifndef OMBI_CCURL_SHIM_H
#define OMBI_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <fcntl.h>
#include <sys/socket.h>

typedef CURLcode (*omb_setopt_function)(CURL *, CURLoption, ...);
typedef CURLcode (*omb_getinfo_function)(CURL *, CURLINFO, ...);
typedef CURLMcode (*omb_multi_setopt_function)(CURLM *, CURLMoption, ...);

typedef size_t (*omb_data_callback)(char *, size_t, size_t, void *);
typedef int (*omb_progress_callback)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
typedef int (*omb_seek_callback)(void *, curl_off_t, int);
typedef int (*omb_prereq_callback)(void *, char *, char *, int, int);
typedef curl_socket_t (*omb_open_socket_callback)(void *, curlsocktype, struct curl_sockaddr *);
typedef int (*omb_resolver_callback)(void *, void *, void *);
typedef CURLcode (*omb_tls_callback)(CURL *, void *, void *);

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

static inline CURLcode omb_getinfo_long(void *f, CURL *handle, CURLINFO info, long *value) {
    return ((omb_getinfo_function)f)(handle, info, value);
}
static inline CURLcode omb_getinfo_off(void *f, CURL *handle, CURLINFO info, curl_off_t *value) {
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

static inline CURLcode omb_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
