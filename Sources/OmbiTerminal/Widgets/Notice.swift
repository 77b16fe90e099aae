/// A message that needs no reply.
package struct Notice: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case info, success, warning, failure

        package var role: Role {
            switch self {
            case .info: .info
            case .success: .success
            case .warning: .warning
            case .failure: .failure
            }
        }
    }

    package var kind: Kind
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

/// Breaks a text into lines between its words.
package enum WrappedText {
    package static func lines(of text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            if let last = lines.last, TextWidth.of(last) + 1 + TextWidth.of(word) <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}
