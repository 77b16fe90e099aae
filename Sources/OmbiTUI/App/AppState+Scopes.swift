import OmbiTerminal

extension AppState {
    /// The scopes for key lookup, nearest first.
    var scopes: [KeyScope] {
        if let overlay = overlays.last { return [overlay.scope] }
        if let environmentPane { return environmentPane.scopes }
        if batchPane.isOpen { return batchPane.scopes }
        switch focus {
        case .tree where tree.search != nil: return [.search]
        case .tree: return (tree.marked.isEmpty ? [] : [.marking]) + [.tree, .lists, .everywhere]
        case .request: return requestPane.scopes
        case .response: return responseScopes
        }
    }

    private var responseScopes: [KeyScope] {
        let usual: [KeyScope] = [.response, .lists, .everywhere]
        if let viewer = shownViewer {
            guard viewer.hasPrompt else { return openedScope + viewer.keyScopes + usual }
            return (responsePane.isCompleting ? [.completing] : []) + viewer.keyScopes
        }
        if responsePane.isFiltering { return [.filtering] }
        return ownScopes + openedScope + usual
    }

    private var openedScope: [KeyScope] { run?.openedNumber == nil ? [] : [.attempt] }

    /// The scope of the tab.
    private var ownScopes: [KeyScope] {
        if run?.pendingSignIn != nil { return [.signIn] }
        if responsePane.cookie(in: cookies ?? []) != nil { return [.cookies] }
        if responsePane.showsEntries { return [.history] }
        if responsePane.tab == .statistics { return [.statistics] }
        if responsePane.showsAttempts(run) { return [.attempts] }
        return responsePane.showsExpectations(responseView) ? [.expectations] : []
    }
}
