// libcurl for Swift: its types, its constants, and wrappers for its variadic functions. Nothing is linked: the library
// is loaded when the first request is sent, so each wrapper takes the address of the function that it calls.
#ifndef OMBI_CCURL_SHIM_H
#define OMBI_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

typedef CURLcode (*omb_setopt_function)(CURL *, CURLoption, ...);
typedef CURLcode (*omb_getinfo_function)(CURL *, CURLINFO, ...);
typedef CURLMcode (*omb_multi_setopt_function)(CURLM *, CURLMoption, ...);

typedef size_t (*omb_data_callback)(char *, size_t, size_t, void *);
typedef int (*omb_progress_callback)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
typedef int (*omb_seek_callback)(void *, curl_off_t, int);
typedef int (*omb_prereq_callback)(void *, char *, char *, int, int);
typedef int (*omb_socket_callback)(void *, curl_socket_t, curlsocktype);
typedef int (*omb_resolver_callback)(void *, void *, void *);
typedef CURLcode (*omb_tls_callback)(CURL *, void *, void *);
typedef int (*omb_watch_callback)(CURL *, curl_socket_t, int, void *, void *);
typedef int (*omb_timer_callback)(CURLM *, long, void *);

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
static inline CURLcode omb_setopt_socket(void *f, CURL *handle, omb_socket_callback value) {
    return ((omb_setopt_function)f)(handle, CURLOPT_SOCKOPTFUNCTION, value);
}
static inline CURLcode omb_setopt_resolver(void *f, CURL *handle, omb_resolver_callback value) {
    return ((omb_setopt_function)f)(handle, CURLOPT_RESOLVER_START_FUNCTION, value);
}
static inline CURLcode omb_setopt_tls(void *f, CURL *handle, omb_tls_callback value) {
    return ((omb_setopt_function)f)(handle, CURLOPT_SSL_CTX_FUNCTION, value);
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
static inline CURLcode omb_getinfo_text(void *f, CURL *handle, CURLINFO info, const char **value) {
    return ((omb_getinfo_function)f)(handle, info, value);
}
static inline CURLcode omb_getinfo_socket(void *f, CURL *handle, CURLINFO info, curl_socket_t *value) {
    return ((omb_getinfo_function)f)(handle, info, value);
}

// Since 7.87: do not wait for a name lookup that nobody needs any more. Older libraries refuse the number.
static const CURLoption OMB_OPT_QUICK_EXIT = (CURLoption)322;

static inline CURLcode omb_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
