/// A page to open in any browser, and the code to enter there.
public struct SignIn: Equatable, Sendable {
    public var url: String
    public var code: String

    public init(url: String, code: String) {
        self.url = url
        self.code = code
    }
}
