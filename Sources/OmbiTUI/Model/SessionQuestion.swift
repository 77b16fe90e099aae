import OmbiWorkspace

/// A question of a run, which waits for the answer.
struct SessionQuestion: Equatable, Sendable {
    typealias ID = Int

    enum Subject: Equatable, Sendable {
        /// May the collection use what is outside its workspace? Any text is a yes.
        case trust(TrustRequest)
        /// The value of a secret.
        case secret(SecretQuestion)
    }

    var id: ID
    var subject: Subject
}

extension TrustRequest.Line {
    /// The line with the mark of a difference, where there is any.
    func marked(in request: TrustRequest) -> String {
        guard request.isChanged else { return text }
        return switch change {
        case .same: "  " + text
        case .added: "+ " + text
        case .removed: "- " + text
        }
    }
}
