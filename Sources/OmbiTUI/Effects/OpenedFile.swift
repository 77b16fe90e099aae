import OmbiWorkspace

/// A file as the explorer opens it: with the edits that an ended program has left, and followed by the history.
enum OpenedFile {
    /// Reads the collections at paths. The file or the folder of another tool is opened if it is named itself, a file
    /// also if it is the root of a folder that is.
    static func read(_ paths: [String]) -> [LoadedCollection] {
        let files = CollectionFinder.load(paths)
        let folders = LoadedCollection.foreignFolders(paths, besides: files).map(\.readInPlace)
        let opened = files.map { loaded in
            let isNamed = paths.contains(loaded.path) || CollectionFinder.foreignFolder(of: loaded.path) != nil
            return withDraft((isNamed ? loaded.readInPlace : loaded).specified())
        }
        return opened + folders.filter { $0.collection != nil || !$0.problems.isEmpty }.map { withDraft($0) }
    }

    /// Reads a file that is open, or was.
    static func load(_ path: String) -> LoadedCollection {
        withDraft(CollectionFile.load(path).readInPlace.specified())
    }

    private static func withDraft(_ loaded: LoadedCollection) -> LoadedCollection {
        var loaded = loaded
        guard let drafts = Drafts.standard else { return loaded }
        var problem: Problem?
        loaded.draft = drafts.draft(of: loaded) { problem = $0 }
        loaded.draftProblem = problem
        loaded.editor = drafts.editor(of: loaded.path)
        return loaded
    }

    /// Lets requests that were renamed elsewhere keep their history.
    /// - Parameter recognises: false where the screen knows the renames.
    static func follow(_ loaded: LoadedCollection, in history: History?, recognises: Bool = false) {
        guard let history, let collection = loaded.collection else { return }
        history.follow(file: loaded.path, CollectionOutline(collection), recognises: recognises, waits: true)
    }
}
