internal import CYAML

/// An event of libyaml's parser, copied out of its memory.
struct YAMLEvent: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case alias(String)
        /// The anchor is the name that aliases have for the value.
        case scalar(YAMLTree.Scalar, anchor: String?)
        case sequenceStart(anchor: String?)
        case mappingStart(anchor: String?)
        /// The end of the list or the object that began last.
        case end
        case streamEnd
        /// The beginning of the stream, the beginning or the end of a document.
        case other
    }

    let kind: Kind
    /// In bytes.
    let offset: Int
    /// The tag of a value that is none of YAML's own, such as `!request`.
    let tag: String?

    init(_ event: omb_yaml_event, _ lines: YAMLLines) {
        kind = Self.kind(event)
        tag = Self.localTag(event)
        offset = lines.offset(line: event.start_mark.line + 1, column: event.start_mark.column + 1)
    }

    /// Only the events of values have pointers in the members that are read here.
    private static func kind(_ event: omb_yaml_event) -> Kind {
        switch Int(event.type) {
        case OMB_YAML_ALIAS: .alias(text(event.anchor) ?? "")
        case OMB_YAML_SCALAR: .scalar(scalar(event), anchor: text(event.anchor))
        case OMB_YAML_SEQUENCE_START: .sequenceStart(anchor: text(event.anchor))
        case OMB_YAML_MAPPING_START: .mappingStart(anchor: text(event.anchor))
        case OMB_YAML_SEQUENCE_END, OMB_YAML_MAPPING_END: .end
        case OMB_YAML_STREAM_END: .streamEnd
        default: .other
        }
    }

    private static func scalar(_ event: omb_yaml_event) -> YAMLTree.Scalar {
        let prefix = "tag:yaml.org,2002:"
        let tag = text(event.tag)
        let isResolved = tag.map { tag in ["int", "float", "bool", "null"].contains { tag == prefix + $0 } } ?? true
        return YAMLTree.Scalar(
            text: String(decoding: UnsafeBufferPointer(start: event.value, count: event.length), as: UTF8.self),
            isPlain: Int(event.style) == OMB_YAML_PLAIN, isResolved: event.quoted_implicit == 0 && isResolved)
    }

    private static func localTag(_ event: omb_yaml_event) -> String? {
        switch Int(event.type) {
        case OMB_YAML_SCALAR, OMB_YAML_SEQUENCE_START, OMB_YAML_MAPPING_START:
            text(event.tag).flatMap { $0.hasPrefix("!") && $0.count > 1 ? $0 : nil }
        default: nil
        }
    }

    private static func text(_ pointer: UnsafePointer<UInt8>?) -> String? { pointer.map { String(cString: $0) } }
}
