/// The error of a secret without a value. Never holds the value.
public struct SecretError: Error, Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        case notSet
        case empty
        case notText
        case unreadable(FileError)
    }

    public var secret: Secret
    public var reason: Reason

    /// The cause in a few words, for where the secret stands beside it.
    public var brief: String {
        switch reason {
        case .notSet: "not set"
        case .empty: "empty"
        case .notText: "not UTF-8 text"
        case .unreadable(let error): error.reason
        }
    }

    public init(secret: Secret, reason: Reason) {
        self.secret = secret
        self.reason = reason
    }
}

extension SecretError: CustomStringConvertible {
    public var description: String {
        let name = "the secret \"\(secret.name)\""
        return switch (secret.source, reason) {
        case (.environment(let variable), .empty):
            "\(name) needs the environment variable \(variable), which is empty; set it before starting ombi"
        case (.environment(let variable), _):
            "\(name) needs the environment variable \(variable), which is not set; set it before starting ombi"
        case (.file(let path), .unreadable(let error)): "\(name) is in the file \(path): \(error)"
        case (.file(let path), .notText): "\(name) is in the file \(path), which is not UTF-8 text"
        case (.file(let path), _): "\(name) is in the file \(path), which is empty"
        }
    }
}
