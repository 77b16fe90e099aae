/// A page to open in a browser, for which a run waits.
public struct SignIn: Equatable, Sendable {
    /// The way in which the sign-in comes back to Ombi.
    public enum Completion: Equatable, Sendable {
        /// The user enters a code on the page, in any browser; the authorization server is polled.
        case code(String)
        /// The browser is redirected to an address. A browser on another machine cannot reach it: the user pastes the address
        /// at which it has ended.
        case redirect(to: String, isListening: Bool)
    }

    public typealias ID = Int

    /// Unique in a session, for a redirect that is pasted.
    public var id: ID
    public var url: String
    public var completion: Completion

    public init(id: ID = 0, url: String, completion: Completion) {
        self.id = id
        self.url = url
        self.completion = completion
    }

    /// Creates a sign-in with a code to enter.
    public init(url: String, code: String) { self.init(url: url, completion: .code(code)) }

    /// The address to which the browser is redirected; nil for a code to enter.
    public var redirectURI: String? {
        if case .redirect(let address, _) = completion { address } else { nil }
    }
}
