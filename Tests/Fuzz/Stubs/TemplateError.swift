/// As much of the error as the readers of templates need.
public struct TemplateError: Error {
    enum Reason: Error {
        case notClosed, noName(String), unknownKind(String), arguments(String, String)
    }

    init(_ kind: Reason, at offset: Int, in text: String) {}
}
