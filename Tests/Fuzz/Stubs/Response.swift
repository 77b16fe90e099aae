import FoundationEssentials

/// As much of OmbiCore as captures need.
public struct Capture {}

public struct FieldError: Error {
    var message: String

    init(_ message: String) { self.message = message }
}

enum HeaderCheck {
    static let nameForm = "a header name"

    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    }
}

struct RequestHeaders {
    struct Key: Hashable {
        var name: String

        init(_ name: String) { self.name = name.lowercased() }

        static let contentType = Key("Content-Type")
    }

    struct Value { var text: String }

    var fields: [(key: Key, value: Value)]

    subscript(_ key: Key) -> Value? { fields.first { $0.key == key }?.value }
}

struct TransportResponse {
    var headers: RequestHeaders?
    var statusCode: Int?
    var body: Data?
}
