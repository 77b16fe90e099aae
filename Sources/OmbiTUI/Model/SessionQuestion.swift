import OmbiWorkspace

/// A question of a run, which waits for the answer.
struct SessionQuestion: Equatable, Sendable {
    typealias ID = Int

    enum Subject: Equatable, Sendable {
        /// May the collection send this there? Any text is a yes.
        case gate(GateQuestion)
        /// The value of a secret.
        case secret(SecretQuestion)
    }

    var id: ID
    var subject: Subject
}
