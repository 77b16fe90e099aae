import OmbiTerminal
import OmbiWorkspace

/// The cookies of the environment in use, edited in the tab of the response.
extension AppState {
    /// The jar of the environment that requests are sent to.
    var cookieHome: CookieHome? {
        workbench.context.map { CookieHome(file: $0.path, environment: $0.chosenEnvironment?.name) }
    }

    /// The cookies in it; nil where none are kept.
    var cookies: [KeptCookie]? { cookieHome.flatMap { runs.cookies[$0] } }

    func performOnCookies(_ action: ResponseAction) -> [Outcome] {
        guard let home = cookieHome, let cookies else { return [] }
        if case .setCookie(let cookie, let value) = action {
            return [.effect(.editCookies(.set(cookie, value: value), home))]
        }
        guard let cookie = responsePane.cookie(in: cookies) else { return [] }
        switch action {
        case .editCookie: return [.open(.prompt(PromptOverlay(.cookie(cookie))))]
        case .deleteCookie: return [.effect(.editCookies(.remove(cookie), home))]
        case .clearCookies: return [.effect(.editCookies(.removeAll, home))]
        default: return []
        }
    }
}
