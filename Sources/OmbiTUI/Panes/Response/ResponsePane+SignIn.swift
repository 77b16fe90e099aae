import OmbiWorkspace

/// The actions on the sign-in for which a run waits.
extension ResponsePane {
    func performOnSignIn(_ action: ResponseAction, _ view: ResponseView) -> [Outcome] {
        guard let signIn = view.run?.pendingSignIn else { return .notify(.info, "No request waits for a sign-in") }
        switch action {
        case .openSignIn: return [.effect(.browse(signIn.url))]
        case .askForRedirect:
            guard let address = signIn.redirectURI else {
                return .notify(.info, "Enter the code on the page; the request goes on by itself")
            }
            return [.open(.prompt(PromptOverlay(.redirect(to: address, signIn.id))))]
        case .submitRedirect(let address, let id): return [.effect(.submitRedirect(address, for: id))]
        default: return []
        }
    }
}
