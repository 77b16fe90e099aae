/// Keeps drafts of unsaved edits while the program runs: what kills it costs a second of typing, no more.
@MainActor
final class DraftKeeper {
    private let drafts: Drafts?
    private let queue: DispatchQueue
    private let writing: DispatchGroup
    private let interval: DispatchTimeInterval
    private var kept: [String: UnsavedFile] = [:]
    /// The paths of those for the next start.
    private var forGood: Set<String> = []
    private var isWaiting = false

    /// - Parameters:
    ///   - queue: writes the drafts, with `writing` as its pending work.
    ///   - interval: the time from an edit to its draft.
    init(
        _ drafts: Drafts?, on queue: DispatchQueue, writing: DispatchGroup,
        interval: DispatchTimeInterval = .seconds(1)
    ) {
        self.drafts = drafts
        self.queue = queue
        self.writing = writing
        self.interval = interval
    }

    /// Looks at what is unsaved a little later; called whenever something may have been edited.
    /// - Parameter isEdited: false while nothing is unsaved; then there is nothing to do, or drafts to remove.
    func keep(isEdited: Bool, _ unsaved: @escaping @MainActor () -> [UnsavedFile]) {
        guard !isWaiting, drafts != nil, isEdited || !kept.isEmpty else { return }
        isWaiting = true
        DispatchQueue.main.asyncAfter(deadline: .now() + interval) {
            MainActor.assumeIsolated {
                self.isWaiting = false
                self.update(unsaved())
            }
        }
    }

    /// Writes the drafts that have changed, and removes those of files without edits.
    func update(_ unsaved: [UnsavedFile]) {
        guard let drafts else { return }
        let gone = Set(kept.keys).subtracting(unsaved.map(\.path))
        let changed = unsaved.filter { kept[$0.path] != $0 }
        for path in gone { kept[path] = nil }
        for draft in changed { kept[draft.path] = draft }
        guard !gone.isEmpty || !changed.isEmpty else { return }
        queue.async(group: writing) {
            for path in gone { drafts.discardOwn(path) }
            // There is nobody to report an error to: saving reports its own.
            for draft in changed { try? drafts.keep(draft.collection, of: draft.path, since: draft.fingerprint) }
        }
    }

    /// Keeps the edits that were restored from the draft of an ended program, and then deletes that draft: nothing is
    /// lost if this program ends meanwhile.
    func replace(_ file: String, by draft: UnsavedFile) {
        guard let drafts else { return }
        kept[draft.path] = draft
        queue.async(group: writing) {
            guard (try? drafts.keep(draft.collection, of: draft.path, since: draft.fingerprint)) != nil else { return }
            drafts.discard(file: file)
        }
    }

    /// Keeps one for the next start, whatever `end` does.
    func keepForGood(_ draft: UnsavedFile) {
        forGood.insert(draft.path)
        update(kept.values.filter { $0.path != draft.path } + [draft])
    }

    /// Returns the work, for the queue, that takes over what ended programs have left of the scratch requests, and passes it
    /// on on the main queue; nil where nothing is kept.
    /// - Parameter onProblem: receives the first error in each draft that cannot be read.
    func takingOverScratch(
        onProblem: @escaping @Sendable (Problem) -> Void, then receive: @escaping @MainActor (Collection) -> Void
    ) -> (@Sendable () -> Void)? {
        guard let drafts else { return nil }
        let path = OpenFile.scratchPath
        writing.enter()
        return { [writing] in
            defer { writing.leave() }
            let found = drafts.takeOver(path, onProblem: onProblem) { left in
                var all = Collection(schema: nil, name: "Scratch")
                all.items = left.flatMap(\.items)
                return all
            }
            guard let found else { return }
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    self.kept[path] = UnsavedFile(path: path, collection: found, fingerprint: .absent)
                    receive(found)
                }
            }
        }
    }

    /// Removes the drafts of a program that ends as its user wants.
    func end() { update(kept.values.filter { forGood.contains($0.path) }) }
}
