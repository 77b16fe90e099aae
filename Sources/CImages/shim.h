// What Ombi uses of libpng (its simplified interface) and of libturbojpeg (TurboJPEG), declared here: neither their
// headers nor they themselves are needed to build. Nothing is linked; both are loaded for the first picture.
#ifndef OMBI_CIMAGES_SHIM_H
#define OMBI_CIMAGES_SHIM_H

#include <stdint.h>

/// png_image of png.h, as it has been since libpng 1.6.0. The library checks `version` before it reads the rest.
typedef struct {
    void *opaque;
    uint32_t version;
    uint32_t width;
    uint32_t height;
    uint32_t format;
    uint32_t flags;
    uint32_t colormap_entries;
    uint32_t warning_or_error;
    char message[64];
} omb_png_image;

/// png_color of png.h.
typedef struct {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
} omb_png_color;

_Static_assert(sizeof(omb_png_color) == 3, "png_color has no padding");
_Static_assert(sizeof(omb_png_image) == (sizeof(void *) == 8 ? 104 : 96), "png_image is as png.h lays it out");

/// PNG_IMAGE_VERSION and PNG_FORMAT_RGB: a byte each for red, green and blue.
enum { OMB_PNG_VERSION = 1, OMB_PNG_RGB = 2 };

/// Of turbojpeg.h: TJPF_RGB and TJPF_CMYK; TJCS_CMYK and TJCS_YCCK; TJFLAG_LIMITSCANS; TJERR_WARNING.
enum {
    OMB_TJ_RGB = 0,
    OMB_TJ_CMYK = 11,
    OMB_TJ_SPACE_CMYK = 3,
    OMB_TJ_SPACE_YCCK = 4,
    OMB_TJ_LIMIT_SCANS = 32768,
    OMB_TJ_WARNING = 0,
};

#endif
