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
