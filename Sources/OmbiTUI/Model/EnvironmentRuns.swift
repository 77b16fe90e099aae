import OmbiWorkspace

/// One request that was sent to several environments at once, to see them side by side. Each run is one of a copy of the
/// request, so that they do not wait for each other.
struct EnvironmentRuns: Equatable, Sendable {
    struct Lane: Equatable, Sendable {
        var environment: String
        var run: RunID
    }

    /// Tells it from the one before.
    var id: RunID
    var name: String
    var lanes: [Lane]

    /// The number of environments that are sent to at once.
    static let maximumLanes = 12
}

extension Runs {
    /// Sends a request to environments at once, in place of the last such request.
    mutating func begin(
        _ request: SavedRequest, in collection: Collection, file: String, recordedPath: ItemPath?, to names: [String],
        at time: Duration
    ) -> [Effect] {
        let folders = collection.folders(of: request.id)
        var effects: [Effect] = []
        var lanes: [EnvironmentRuns.Lane] = []
        let id = lastID + 1
        for environment in names.prefix(EnvironmentRuns.maximumLanes) {
            var copy = request
            copy.id = ItemID()
            lanes.append(.init(environment: environment, run: lastID + 1))
            var order = RunOrder(
                id: lastID + 1, request: copy, collection: collection, environment: environment, file: file,
                folders: folders)
            order.recordedPath = recordedPath
            effects += begin(order, at: time)
        }
        environments = EnvironmentRuns(id: id, name: request.name, lanes: lanes)
        return effects
    }
}
