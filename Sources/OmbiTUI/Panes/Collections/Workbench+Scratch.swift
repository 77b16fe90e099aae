import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// Scratch requests: they belong to no file until they are saved to one.
extension Workbench {
    /// The URL of a new request without an environment, to type after.
    static let emptyURL = "https://"

    /// Opens a new request, and its URL for editing.
    mutating func addScratch() -> [Outcome] {
        let path = environment == nil ? Self.emptyURL : "/"
        let request = SavedRequest(name: "scratch", path: path)
        addScratch(named([.request(request)]), isNew: true)
        return [.perform(.tree(.select(.request(request.id)))), .focus(.request), .perform(.request(.edit))]
    }

    /// Opens the requests of a curl command, or of a URL.
    mutating func paste(_ text: String) -> [Outcome] {
        do throws(ImportError) {
            guard let pasted = try PastedRequests(PastedRequests.trimmed(text)), !pasted.requests.isEmpty else {
                return .notify(.info, "Only a URL or a curl command can be pasted here")
            }
            let count = pasted.requests.count
            addScratch(named(pasted.requests.map(CollectionItem.request)), isNew: true)
            let first = pasted.requests[0]
            let opened = count > 1 ? "Opened \(count) scratch requests" : "Opened \(first.name) as a scratch request"
            return pasted.outcomes("\(opened); w saves to a collection")
                + [.perform(.tree(.select(.request(first.id)))), .focus(.request)]
        } catch {
            return .notify(.failure, "curl, \(error)")
        }
    }

    /// Gives items names that no other scratch request has.
    private func named(_ items: [CollectionItem]) -> [CollectionItem] {
        let known = scratch?.collection?.items ?? []
        return items.reduce(into: []) { named, item in
            var item = item
            item.name = Collection.freeName(for: item.name, among: known + named)
            named.append(item)
        }
    }

    /// Takes in what was kept for this start.
    mutating func restoreScratch(_ kept: Collection) -> [Outcome] {
        addScratch(named(kept.items), isNew: false)
        return .notify(.info, Count.of(kept.requestCount, "scratch request") + " from the last time")
    }

    // MARK: Saving

    /// Asks for the place of a scratch request.
    func askToSave(_ request: SavedRequest) -> [Outcome] {
        var items = targets(for: [.request(request)], .save)
        items.append(.init(name: "New collection", action: .tree(.askToSaveInNew)))
        let current = context.flatMap { file in items.first { $0.action == .tree(.put(.file(file.path), .save)) } }
        var picker = PickerOverlay(title: "Save \(request.name) in", items: items, current: current?.name)
        picker.others = newFolders(.save)
        return [.open(.picker(picker))]
    }

    /// Moves the scratch request that is shown to a file, and saves it.
    mutating func saveScratch(at destination: Destination) -> [Outcome] {
        guard let request, file?.isScratch ?? false else { return [] }
        let outcomes = put([request.id], at: destination, .save)
        guard let file = file(at: destination.path) else { return outcomes }
        if let asked = obstacle(about: [file]) {
            // Nothing is saved yet.
            return outcomes.filter { if case .notice = $0 { false } else { true } } + asked
        }
        return outcomes + save([file])
    }

    /// Begins a collection with a scratch request, and with its host as an environment.
    mutating func saveInNew(_ name: String) -> [Outcome] {
        guard let request else { return [] }
        saves.scratch = request.id
        let target = request.target
        let host = target.isURL ? String(target.text[..<Origin.pathStart(of: target.text)]) : ""
        return Self.begin(name, host: host.contains("{{") ? "" : host, path: nil)
    }
}
