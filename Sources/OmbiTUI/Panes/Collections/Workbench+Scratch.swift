import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// Scratch requests: they belong to no file until they are saved to one.
extension Workbench {
    /// Opens a new request, and its URL for editing.
    mutating func addScratch() -> [Outcome] {
        let path = environment == nil ? "https://" : "/"
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
        let picker = PickerOverlay(title: "Save \(request.name) in", items: items, current: current?.name)
        return [.open(.picker(picker))]
    }

    /// Moves the scratch request that is shown to a file, and saves it.
    mutating func saveScratch(at node: TreeNode, _ transfer: Transfer) -> [Outcome] {
        guard let request, file?.isScratch ?? false, let destination = destination(node),
            let target = file(at: destination.path)
        else { return [] }
        let credential = request.openCredential
        if transfer == .save, let credential {
            return [.open(.question(Self.question(credential, of: request, node, target)))]
        }
        let secret = transfer == .saveWithSecret ? credential.flatMap { Self.secret(for: $0, in: target) } : nil
        var outcomes = put([request.id], at: destination, transfer, secret: secret)
        if let secret, let credential, case .environment(let name) = secret.source {
            outcomes.append(.effect(.copy(credential.value, named: "$\(name)")))
        }
        guard let file = file(at: destination.path) else { return outcomes }
        return outcomes + (firstObstacle(to: [file]) ?? save([file]))
    }

    private static func question(
        _ credential: OpenCredential, of request: SavedRequest, _ node: TreeNode, _ target: OpenFile
    ) -> QuestionOverlay {
        let asIs = QuestionOverlay.Answer("save it as it is", .tree(.put(node, .saveAsIs)))
        var question = QuestionOverlay(
            lines: ["\(target.fileName) would have the \(credential.name) of \(request.name) in clear."], yes: asIs,
            no: .init("leave it in no file", .tree(.select(.request(request.id)))))
        guard let secret = secret(for: credential, in: target), case .environment(let name) = secret.source else {
            return question
        }
        question.lines.append("{{\(secret.name)}} in its place reads $\(name); the value is copied for you to export.")
        question.yes = .init("save {{\(secret.name)}}", .tree(.put(node, .saveWithSecret)))
        question.no = asIs
        return question
    }

    /// A secret with a name that the environment has not; nil without an environment.
    private static func secret(for credential: OpenCredential, in file: OpenFile) -> Secret? {
        guard let environment = file.chosenEnvironment else { return nil }
        let taken = Set(environment.secrets.map(\.name) + environment.variables.map(\.name))
        var name = credential.variable
        var number = 2
        while taken.contains(name) {
            name = "\(credential.variable)\(number)"
            number += 1
        }
        let words = "\(file.name) \(name)".uppercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
        return Secret(name, .environment(words.joined(separator: "_")))
    }

    /// Begins a collection with a scratch request, and with its host as an environment.
    mutating func saveInNew(_ name: String) -> [Outcome] {
        guard let request else { return [] }
        saves.scratch = request.id
        let host = request.isAbsolute ? String(request.path[..<Origin.pathStart(of: request.path)]) : ""
        return Self.begin(name, host: host.contains("{{") ? "" : host, path: nil)
    }
}
