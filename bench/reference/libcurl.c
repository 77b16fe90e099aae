// What libcurl itself does: the same GETs as CoreBenchmark with the options that OmbiCore sets, the easy handles kept,
// one thread with curl_multi_perform and curl_multi_poll. For scripts/bench-core.
// Usage: libcurl URL COUNT WIDTH; prints requests a second, microseconds of processor time a
// request, and how often the thread waited.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { most = 256 };

struct transfer {
    CURL *handle;
    size_t head, length;
    char body[4096];
};

static size_t take_header(char *bytes, size_t size, size_t count, void *to) {
    (void)bytes;
    ((struct transfer *)to)->head += size * count;
    return size * count;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *to) {
    struct transfer *transfer = to;
    size_t length = size * count;
    if (length > sizeof transfer->body - transfer->length) return 0;
    memcpy(transfer->body + transfer->length, bytes, length);
    transfer->length += length;
    return length;
}

static int take_progress(void *to, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)to, (void)a, (void)b, (void)c, (void)d;
    return 0;
}

static struct curl_slist *headers(void) {
    struct curl_slist *list = NULL;
    list = curl_slist_append(list, "Accept: application/json");
    list = curl_slist_append(list, "Accept-Encoding: gzip, deflate");
    list = curl_slist_append(list, "Accept-Language: en");
    list = curl_slist_append(list, "User-Agent: libcurl");
    list = curl_slist_append(list, "Expect:");
    return curl_slist_append(list, "Content-Type:");
}

static void start(CURLM *multi, struct transfer *transfer, const char *url, struct curl_slist *list) {
    CURL *handle = transfer->handle;
    transfer->head = transfer->length = 0;
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, 120000L);
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_multi_add_handle(multi, handle);
}

static int finish(struct transfer *transfer, CURLcode result) {
    long status = 0, connects = 0, version = 0;
    curl_off_t time = 0;
    char *address = NULL;
    curl_easy_getinfo(transfer->handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(transfer->handle, CURLINFO_NUM_CONNECTS, &connects);
    curl_easy_getinfo(transfer->handle, CURLINFO_HTTP_VERSION, &version);
    curl_easy_getinfo(transfer->handle, CURLINFO_PRIMARY_IP, &address);
    curl_easy_getinfo(transfer->handle, CURLINFO_NAMELOOKUP_TIME_T, &time);
    curl_easy_getinfo(transfer->handle, CURLINFO_CONNECT_TIME_T, &time);
    curl_easy_getinfo(transfer->handle, CURLINFO_APPCONNECT_TIME_T, &time);
    curl_easy_getinfo(transfer->handle, CURLINFO_PRETRANSFER_TIME_T, &time);
    curl_easy_getinfo(transfer->handle, CURLINFO_STARTTRANSFER_TIME_T, &time);
    curl_easy_getinfo(transfer->handle, CURLINFO_TOTAL_TIME_T, &time);
    return result == CURLE_OK && status == 200 && transfer->length > 0;
}

static int run(CURLM *multi, struct transfer *all, int width, long count, const char *url, struct curl_slist *list) {
    long started = 0, ended = 0, good = 0;
    int running = 0;
    for (; started < width && started < count; started++) start(multi, &all[started], url, list);
    while (ended < count) {
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        int left;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            struct transfer *transfer = NULL;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
            good += finish(transfer, message->data.result);
            curl_multi_remove_handle(multi, transfer->handle);
            ended++;
            if (started < count) {
                start(multi, transfer, url, list);
                started++;
            }
        }
        if (ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    return good == count;
}

static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static double processor(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static long waits(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw;
}

int main(int argc, char **argv) {
    long count = argc > 2 ? atol(argv[2]) : 0;
    int width = argc > 3 ? atoi(argv[3]) : 0;
    if (count < 1 || width < 1 || width > most) {
        fprintf(stderr, "usage: libcurl http://127.0.0.1:PORT/PATH COUNT WIDTH\n");
        return 2;
    }
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    struct curl_slist *list = headers();
    static struct transfer all[most];
    for (int i = 0; i < width; i++) {
        CURL *handle = all[i].handle = curl_easy_init();
        curl_easy_setopt(handle, CURLOPT_PRIVATE, &all[i]);
        curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
        curl_easy_setopt(handle, CURLOPT_WRITEDATA, &all[i]);
        curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
        curl_easy_setopt(handle, CURLOPT_HEADERDATA, &all[i]);
        curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, take_progress);
        curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
        curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 65536L);
    }
    run(multi, all, width, count < 500 ? count : 500, argv[1], list);
    double begin = wall(), used = processor();
    long waited = waits();
    int passed = run(multi, all, width, count, argv[1], list);
    double seconds = wall() - begin, busy = processor() - used;
    if (!passed) return 1;
    printf("%.0f\t%.1f\t%ld\n", count / seconds, busy / count * 1e6, waits() - waited);
    return 0;
}
