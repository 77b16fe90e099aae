import OmbiTerminal
import OmbiWorkspace

/// Runs that wait until their user has signed in.
extension AppState {
    /// Says where to sign in. The response with the page gets the keys if nothing else needs them.
    mutating func show(_ signIn: SignIn?, of id: RunID) -> [Outcome] {
        guard let signIn else {
            closeSignIn()
            return []
        }
        let isSelected = runs[id: id]?.item == workbench.selected
        let isShown = isSelected && mayAsk && environmentPane == nil && !batchPane.isOpen
        if isSelected, isShown || !responsePane.tab.showsSignIn { responsePane.show(.body) }
        let text =
            switch signIn.completion {
            case .code(let code): "Sign in with the code \(code) at \(signIn.url)"
            case .redirect where isShown: "Sign in with a browser: the response has the page"
            case .redirect: "\(runs[id: id]?.name ?? "a request") waits until you sign in: its response has the page"
            }
        let focus: [Outcome] = isShown ? [.focus(.response)] : []
        return focus + .notify(.warning, text, during: .signIn(id))
    }

    /// The action for the address of a sign-in that is pasted outside of all fields.
    func redirect(_ text: String) -> Action? {
        let address = text.trimmedLine
        guard let signIn = run?.pendingSignIn, let start = signIn.redirectURI, address.hasPrefix(start) else {
            return nil
        }
        return .response(.submitRedirect(address, for: signIn.id))
    }
}

extension String {
    fileprivate var trimmedLine: String {
        let text = drop(while: \.isWhitespace)
        return String(text.reversed().drop(while: \.isWhitespace).reversed())
    }
}
