// What Ombi uses of libyaml's event parser, declared here: neither its header nor the library is needed to build.
// Nothing is linked; it is loaded for the first YAML text.
#ifndef OMBI_CYAML_SHIM_H
#define OMBI_CYAML_SHIM_H

#include <stddef.h>
#include <stdint.h>

/// yaml_mark_t of yaml.h; all three count characters from 0.
typedef struct {
    size_t index;
    size_t line;
    size_t column;
} omb_yaml_mark;

/// yaml_event_t of yaml.h, as it has been since libyaml 0.1. In place of its union is the largest member, the scalar:
/// lists and objects share `anchor` and `tag` with it, aliases `anchor`; the rest has no meaning for them.
typedef struct {
    int32_t type;
    const uint8_t *anchor;
    const uint8_t *tag;
    const uint8_t *value;
    size_t length;
    int32_t plain_implicit;
    int32_t quoted_implicit;
    int32_t style;
    omb_yaml_mark start_mark;
    omb_yaml_mark end_mark;
} omb_yaml_event;

/// The beginning of yaml_parser_t of yaml.h, and room for the rest, which is private: version 0.2 has 480 bytes.
typedef struct {
    int32_t error;
    const char *problem;
    /// In bytes; for errors of reading only.
    size_t problem_offset;
    int32_t problem_value;
    omb_yaml_mark problem_mark;
    const char *context;
    omb_yaml_mark context_mark;
    void *rest[128];
} omb_yaml_parser;

_Static_assert(sizeof(omb_yaml_event) == (sizeof(void *) == 8 ? 104 : 56), "yaml_event_t is as yaml.h lays it out");
_Static_assert(offsetof(omb_yaml_parser, rest) == (sizeof(void *) == 8 ? 88 : 44), "yaml_parser_t begins as in yaml.h");

/// Of yaml_encoding_t, yaml_error_type_t and yaml_scalar_style_t.
enum { OMB_YAML_UTF8 = 1, OMB_YAML_MEMORY_ERROR = 1, OMB_YAML_READER_ERROR = 2, OMB_YAML_PLAIN = 1 };

/// Of yaml_event_type_t.
enum {
    OMB_YAML_STREAM_END = 2,
    OMB_YAML_ALIAS = 5,
    OMB_YAML_SCALAR = 6,
    OMB_YAML_SEQUENCE_START = 7,
    OMB_YAML_SEQUENCE_END = 8,
    OMB_YAML_MAPPING_START = 9,
    OMB_YAML_MAPPING_END = 10,
};

#endif
