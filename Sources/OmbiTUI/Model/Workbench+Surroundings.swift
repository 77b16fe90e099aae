import OmbiCore
import OmbiWorkspace

/// The surroundings of what the request pane shows: its environment, the variables that hold for it, and what a request becomes
/// with them.
extension Workbench {
    var environment: Environment? { shownContextIndex.flatMap { files[$0].chosenEnvironment } }

    /// The name of the environment in use for what the screen shows, where its file has that one no more.
    var missingEnvironment: String? { shownContextIndex.flatMap { files[$0].missingEnvironment } }

    /// The collection whose environments hold for what the screen shows.
    var shownCollection: Collection? { shownContextIndex.flatMap { files[$0].collection } }

    /// The folder of that file.
    var folder: String { shownContext?.folder ?? "." }

    /// The names that a template of the request may use.
    var templateNames: [String]? { templateNames(nil) }

    func templateNames(_ captures: CaptureIndex?) -> [String]? {
        shownCollection.map {
            Resolver.names(
                in: $0, folders: folders ?? [], environment: environment, overrides: overrides, captures: captures)
        }
    }

    /// Those names with what they become in an environment.
    func candidates(in environment: Environment?) -> [FieldChoice] {
        shownCollection.map {
            Resolver.candidates(in: $0, folders: folders ?? [], environment: environment, overrides: overrides)
        } ?? []
    }

    /// True for a variable that the command line sets.
    func isOverridden(_ name: String) -> Bool { overrides.variables.contains { $0.enabled && $0.name == name } }

    /// The variables that the command line sets, with their values.
    var overridden: [String: String] {
        Dictionary(overrides.variables.filter(\.enabled).map { ($0.name, $0.value) }) { $1 }
    }

    /// The requests that use each variable of a collection, and the variables that have no value.
    func uses(in collection: Collection) -> VariableUses { VariableUses(collection, overrides: overrides) }

    /// The URL of the request with everything filled in; nil where a part of it has no value.
    var address: String? { address(nil) }

    func address(_ captures: CaptureIndex?) -> String? {
        guard let request, let collection = context?.collection else { return nil }
        return Resolver.address(
            of: request, in: collection, environment: environment, overrides: overrides, captures: captures)
    }

    /// The host of the environment with everything filled in.
    var host: String? {
        guard let environment, let collection = shownCollection else { return nil }
        return Resolver.host(of: environment, in: collection, overrides: overrides)
    }

    /// The run of the request in its surroundings.
    /// The order for any request of the open files; nil for one that is gone.
    func order(_ id: RunID, of item: ItemID) -> RunOrder? {
        guard item != selected else { return order(id) }
        guard let file = file(of: item), let collection = file.collection, !file.isScratch,
            let request = collection.request(item)
        else { return nil }
        return RunOrder(
            id: id, request: request, collection: collection, environment: file.chosenEnvironment?.name,
            file: file.path)
    }

    func order(_ id: RunID) -> RunOrder? {
        guard let request, let file = context, let collection = file.collection else { return nil }
        return RunOrder(
            id: id, request: request, collection: collection, environment: file.chosenEnvironment?.name,
            file: file.path)
    }
}

extension RequestPolicy {
    /// The policy of a request when nothing sets one, for display.
    static let standard = RequestPolicy(
        retries: 0, sla: .seconds(60), timeout: .seconds(30),
        retryOn: [.connection, .timeout] + RetryPolicy.transientStatusCodes.sorted().map { .status(.code($0)) })
}
