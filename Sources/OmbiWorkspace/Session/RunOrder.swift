/// The input of a run: a request as it is in the editor, and where it goes.
package struct RunOrder: Equatable, Sendable {
    /// Identifies a run of a session.
    package typealias ID = Int

    package var id: ID
    private var content: Content
    package var environment: String?
    package var file: String
    /// The path under which the run is recorded; nil for the current path of the request.
    package var recordedPath: ItemPath?
    /// The folders of the request, the outermost first; nil for a request that is not in the collection.
    package var folders: [Folder]?
    /// The values of this run, from a file of data; nil for a run by itself.
    package var row: DataRow?
    /// True to send the messages of a WebSocket as soon as it opens.
    package var sendsMessages = false
    /// The number of pages to request; nil for the limit of the request.
    package var pages: PageLimit?
    /// True to continue after the last page of the previous run of this request.
    package var continuesPages = false
    /// True to keep the place of the next page for another run.
    package var keepsPlace = false
    /// The runs that this one is sent with; nil for one by itself.
    package var group: RunGroup?

    package init(
        id: ID, request: SavedRequest, collection: Collection, environment: String?, file: String, folders: [Folder]?,
        row: DataRow? = nil
    ) {
        self.id = id
        content = Content(request, collection)
        self.environment = environment
        self.file = file
        self.folders = folders
        self.row = row
    }

    package var request: SavedRequest {
        _read { yield content.request }
        set { content = Content(newValue, content.collection) }
    }

    package var collection: Collection {
        _read { yield content.collection }
        set { content = Content(content.request, newValue) }
    }

    /// The large parts, which copies of an order share.
    private final class Content: Equatable, Sendable {
        let request: SavedRequest
        let collection: Collection

        init(_ request: SavedRequest, _ collection: Collection) {
            (self.request, self.collection) = (request, collection)
        }

        static func == (one: Content, other: Content) -> Bool {
            one === other || one.request == other.request && one.collection == other.collection
        }
    }

    /// Creates an order for a request that is looked up in the collection.
    package init(id: ID, request: SavedRequest, collection: Collection, environment: String?, file: String) {
        self.init(
            id: id, request: request, collection: collection, environment: environment, file: file,
            folders: collection.folders(of: request.id))
    }

    /// The order of another request of the collection that goes where this one does.
    func order(of request: SavedRequest) -> RunOrder {
        guard request.id != self.request.id else { return self }
        var order = self
        (order.request, order.recordedPath, order.folders) = (request, nil, collection.folders(of: request.id))
        return order
    }

    package var inheritance: Inheritance {
        Inheritance(collection, folders: folders, environment: chosenEnvironment)
    }

    /// Directs requests for a server to one of its addresses, overriding the connection.
    /// - Parameter only: In the form of `resolve` of a connection: `api.example.com:443:10.0.3.7`.
    package mutating func send(toOnly only: String) {
        let server = only.split(separator: ":", maxSplits: 2).prefix(2).joined(separator: ":").lowercased() + ":"
        let others = (inheritance.connections(of: request, isForeign: false).merged.resolve ?? []).filter {
            !$0.lowercased().hasPrefix(server)
        }
        var changed = request
        var connection = changed.connection ?? SavedConnection()
        connection.resolve = others + [only]
        changed.connection = connection
        request = changed
    }

    /// The request by names, as its runs are recorded.
    package var itemPath: ItemPath {
        if let recordedPath { return recordedPath }
        guard let folders, !folders.isEmpty else { return ItemPath(file: file, path: [request.name]) }
        return ItemPath(file: file, path: folders.map(\.name) + [request.name])
    }

    /// False if the request or its environment excludes its runs from the history.
    package var isRecorded: Bool { request.isRecorded && collection.isRecorded(in: environment) }

    /// The folder of the collection file, the base of relative paths in it.
    var folder: String { file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "." }
}

/// A request in one environment of its file, whatever its row of data.
struct RequestPlace: Hashable, Sendable {
    var file: String
    var environment: String?
    var item: ItemID

    init(_ order: RunOrder) { (file, environment, item) = (order.file, order.environment, order.request.id) }
}

extension RunOrder {
    /// The number of the row that a request of the collection takes values from, itself or by way of variables and of
    /// requests that are sent first; nil for a run that is the same for every row, and may be shared by them.
    func row(of request: SavedRequest) -> Int? {
        guard let row else { return nil }
        let columns = Set(row.variables.map(\.name))
        return columns.isDisjoint(with: names(neededBy: request)) ? nil : row.number
    }

    /// The variables that a request names, that their values name, and those that the requests name that capture them.
    private func names(neededBy request: SavedRequest) -> Set<String> {
        let index = CaptureIndex(collection)
        var requests = [request]
        var visited: Set<ItemID> = []
        var needed: Set<String> = []
        while let request = requests.popLast() {
            guard visited.insert(request.id).inserted else { continue }
            let folders = request.id == self.request.id ? self.folders : collection.folders(of: request.id)
            let levels = Inheritance(collection, folders: folders, environment: chosenEnvironment).levels
            var left = VariableUses.names(in: request).union(VariableUses.names(in: [chosenEnvironment?.host ?? ""]))
            for level in levels { left.formUnion(VariableUses.names(in: level.settings)) }
            let values = (levels.reversed().flatMap(\.settings.variables) + request.variables).filter(\.enabled)
            while let name = left.popFirst() {
                guard needed.insert(name).inserted else { continue }
                left.formUnion(VariableUses.names(in: values.filter { $0.name == name }.map(\.value)))
                requests += index.requests[name] ?? []
            }
        }
        return needed
    }
}

extension RunOrder {
    /// The requests that may be sent before this one, for variables that they capture, if nothing has been captured
    /// yet. Reads no secrets.
    package var sentFirst: [SavedRequest] {
        let index = CaptureIndex(collection)
        guard !index.requests.isEmpty else { return [] }
        var resolver = Resolver.preview(collection, chosenEnvironment, Overrides())
        resolver.folder = folder
        do throws(ResolveError) {
            return try index.plan(request, index.scope(for: [request])) { (request, scope) throws(ResolveError) in
                resolver.captured = scope
                _ = try resolver.resolve(request)
            }.map(\.request)
        } catch {
            // It cannot be told from a request with an error which others it needs.
            return index.requests.values.flatMap { $0 }
        }
    }
}

extension Resolution {
    /// Creates the resolution of further texts for the request of an order.
    init(_ order: RunOrder, by resolver: Resolver) {
        self.init(
            request: order.request, environment: order.chosenEnvironment, folder: order.folder,
            scope: resolver.scope(order.inheritance, of: order.request.variables))
    }
}

/// Runs that are sent together, such as those of a folder: a request that was sent first for another one of them is not
/// sent again in its own turn.
package final class RunGroup: Equatable, Sendable {
    private let items: Set<ItemID>
    private let state = Lock(State())

    private struct State {
        /// The runs that were begun for others, and whose requests have not had their own turns since.
        var sent: [DependencyRun.Key: DependencyRun] = [:]
        /// The names of the requests for which others would be sent first.
        var planned: [DependencyRun.Key: String] = [:]
    }

    /// - Parameter items: the requests that have turns of their own.
    package init(_ items: some Sequence<ItemID>) { self.items = Set(items) }

    package static func == (one: RunGroup, other: RunGroup) -> Bool { one === other }

    func add(_ run: DependencyRun) {
        guard items.contains(run.key.item) else { return }
        state.withLock { $0.sent[run.key] = run }
    }

    /// Returns the run that was begun for another one, and counts it as one turn.
    func take(_ key: DependencyRun.Key) -> DependencyRun? { state.withLock { $0.sent.removeValue(forKey: key) } }

    /// Forgets the runs of a row of data that has had all its turns.
    func forget(row: Int) {
        state.withLock { state in state.sent = state.sent.filter { $0.key.row != row } }
    }

    /// Notes that a request would be sent first for the named one.
    func plan(_ key: DependencyRun.Key, for name: String) {
        guard items.contains(key.item) else { return }
        state.withLock { state in
            if state.planned[key] == nil { state.planned[key] = name }
        }
    }

    /// The name of the request for which that one would have been sent already.
    func takePlanned(_ key: DependencyRun.Key) -> String? {
        state.withLock { $0.planned.removeValue(forKey: key) }
    }
}

/// A run before anything of it is sent: the request as it would leave, with secrets masked, and what would become of a
/// failure.
package struct RunPreview: Sendable, Equatable {
    package var request: PreparedRequest
    /// The requests that would be sent first, in order. The request contains stand-ins for their values.
    package var sentFirst: [Dependency]
    /// The name of the request of the group for which this one would already have been sent; nil if there is none.
    package var sentFor: String?
    /// The limit of one attempt; nil for none.
    package var attemptTimeout: Duration?
    package var retry: RetryPolicy
    /// The part of `request.sources` that has no grant yet.
    package var ungranted: [PreparedRequest.SentSource] = []
    /// The time at which the SLA would end if the request were sent now.
    package var slaEnd: LocalTime?
    /// `RunOrder.queryProblems`, which are looked for once for all rows of data.
    package var queryProblems: [String] = []
    /// A sentence about credentials that this system cannot send, or does not keep private; nil for none.
    package var credentialsWarning: String?
}

extension Session {
    /// Returns the request with the names of secrets that have yet to be obtained.
    private func preview(_ order: RunOrder, _ scope: CapturedScope) throws(ResolveError) -> ResolvedRequest {
        do throws(ResolveError) { return try resolve(order, scope, standIn: nil) } catch {
            if let missing = error.missingSecret { return try resolve(order, scope, standIn: "{{\(missing.name)}}") }
            guard flowsOfPipes(in: order) != nil, let preview = try? resolve(order, scope, standIn: "{{pipe}}") else {
                throw error
            }
            return preview
        }
    }

    /// Prepares a request without sending anything. Reads the secrets that it uses.
    package func preview(_ order: RunOrder) throws(ResolveError) -> RunPreview {
        let sentFirst = try plan(order, isGated: false)
        let scope = sampleScope(of: order)
        let resolved = try preview(order, scope)
        var request = PreparedRequest(resolved)
        request.url = scope.namingSamples(in: request.url)
        let missing = steps.gate.missing(resolved.flows, of: order.file)
        let ungranted = request.sources.filter { sent in
            missing.contains { $0.source.text == sent.source && $0.destination.text == sent.destination }
        }
        let sentFor = order.group?.takePlanned(order.key(of: order.request))
        for first in sentFirst { order.group?.plan(order.key(of: first.request), for: order.request.name) }
        var preview = RunPreview(
            request: request, sentFirst: sentFirst, sentFor: sentFor, attemptTimeout: resolved.attemptTimeout,
            retry: resolved.retry, ungranted: ungranted, slaEnd: LocalTime(after: resolved.sla.value))
        if resolved.credentials != nil {
            let authentication = order.inheritance.authentication(of: order.request)?.value
            preview.credentialsWarning = authentication?.machineWarning(folder: order.folder)
        }
        return preview
    }
}
