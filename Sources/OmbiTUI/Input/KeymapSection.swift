/// The bindings of a scope, for the pages that list all keys.
struct KeymapSection {
    let scope: KeyScope
    let bindings: [Binding]

    var title: String { scope.rawValue }
    /// The name of the scope in settings; nil where they change no keys.
    var settingName: String? { scope.isConfigurable ? scope.name : nil }
}

extension Keymap {
    /// The bindings of each scope that has some.
    var sections: [KeymapSection] {
        KeyScope.allCases.compactMap { scope in
            let own = bindings.filter { $0.scope == scope }
            return own.isEmpty ? nil : KeymapSection(scope: scope, bindings: own)
        }
    }
}

extension Binding {
    /// The name of the action in settings; nil where they change no keys, and for an action without a name.
    var settingName: String? { scope.isConfigurable ? action.name : nil }
}
