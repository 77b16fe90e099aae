// libcurl for Swift: its types and constants. Nothing is linked: the library is loaded when the first request is sent.
#ifndef OMBI_CCURL_SHIM_H
#define OMBI_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

#endif
