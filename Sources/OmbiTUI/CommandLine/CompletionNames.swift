import OmbiWorkspace

/// The names in collections that a word of a command line can become, each as `ombi list` prints it.
///
/// A collection and a folder end in a slash, as their items may follow; a variable ends in the sign before its value.
struct CompletionNames {
    let collections: [LoadedCollection]

    /// The names by which a selection may begin, in the order in which they are offered.
    private enum Form: CaseIterable {
        case name, path, file, stem

        func text(of loaded: LoadedCollection) -> String? {
            let file = loaded.path.split(separator: "/").last.map(String.init) ?? loaded.path
            let text: String? =
                switch self {
                case .name: loaded.collection?.name
                case .path: loaded.path
                case .file: file
                case .stem: file.hasSuffix(".json") ? String(file.dropLast(5)) : nil
                }
            return text.map(SafeText.line)
        }

        /// A file is offered as a whole: it needs no slash to be selected.
        var end: String { self == .path || self == .file ? "" : "/" }
    }

    /// Returns the collections that begin like the word or, after the name of one, the items of the folder that the
    /// word leads into. Files follow where the name of no collection fits.
    func selections(_ word: String) -> [String] {
        let found = Form.allCases.lazy.map { form -> [String] in
            collections.flatMap { loaded -> [String] in
                form.text(of: loaded).map { Self.matches(word, $0, form.end, loaded.collection?.items ?? []) } ?? []
            }
        }
        return Self.unique(found.first { !$0.isEmpty } ?? [])
    }

    func environments(_ word: String) -> [String] {
        matches(word) { $0.choosableEnvironments.map(\.name) }
    }

    /// Returns tags; those of requests to be left out behind a `!`.
    func tags(_ word: String) -> [String] {
        let mark = word.hasPrefix("!") ? "!" : ""
        return matches(word) { collection in
            var tags: [String] = []
            collection.forEachRequest { request, folders in tags += collection.tags(of: request, in: folders) }
            return tags.map { mark + $0 }
        }
    }

    func variables(_ word: String) -> [String] {
        matches(word) { collection in
            let levels = collection.choosableEnvironments.map(\.variables) + Self.variables(in: collection.items)
            let all = collection.allVariables + levels.joined()
            return all.map { $0.name + "=" }
        }
    }

    /// Returns the names in the collections that words select; all names where the words select none.
    func selected(by words: [String]) -> CompletionNames {
        let selected = collections.filter { loaded in
            guard loaded.collection != nil else { return false }
            return Form.allCases.compactMap { $0.text(of: loaded) }.contains { name in
                words.contains { $0 == name || Self.begins($0, with: name + "/") }
            }
        }
        return selected.isEmpty ? self : CompletionNames(collections: selected)
    }

    /// Returns the folders and the files of collections that begin like a path.
    static func files(_ word: String, in fileSystem: some FileSystem = PosixFileSystem()) -> [String] {
        let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
        let names = (try? fileSystem.names(in: folder.isEmpty ? "." : folder)) ?? []
        return names.sorted().compactMap { name -> String? in
            let path = folder + name
            guard !name.hasPrefix("."), begins(path, with: word), SafeText.line(path) == path else { return nil }
            if fileSystem.isFolder(path) { return path + "/" }
            return CollectionFinder.isCandidate(name) ? path : nil
        }
    }

    // MARK: Matching

    /// - Parameters:
    ///   - end: the end of the name as it is offered.
    ///   - items: the items behind the name.
    private static func matches(_ word: String, _ name: String, _ end: String, _ items: [CollectionItem]) -> [String] {
        let opened = name + "/"
        guard begins(word, with: opened) else { return begins(name, with: word) ? [name + end] : [] }
        return items.flatMap { item in
            var end = ""
            if case .folder = item { end = "/" }
            return matches(word, opened + SafeText.line(item.name), end, item.items)
        }
    }

    private func matches(_ word: String, _ names: (Collection) -> [String]) -> [String] {
        let all = collections.compactMap(\.collection).flatMap(names)
        return Self.unique(all.map(SafeText.line).filter { Self.begins($0, with: word) })
    }

    private static func variables(in items: [CollectionItem]) -> [[Variable]] {
        items.flatMap { item -> [[Variable]] in
            guard case .folder(let folder) = item else { return [] }
            return [folder.settings.variables] + variables(in: folder.items)
        }
    }

    /// By bytes: a shell may have completed a word up to the middle of a character.
    private static func begins(_ text: String, with word: String) -> Bool { text.utf8.starts(with: word.utf8) }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
