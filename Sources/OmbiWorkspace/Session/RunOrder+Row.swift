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
            let values = levels.reversed().flatMap(\.settings.variables).filter(\.enabled)
            while let name = left.popFirst() {
                guard needed.insert(name).inserted else { continue }
                left.formUnion(VariableUses.names(in: values.filter { $0.name == name }.map(\.value)))
                requests += index.requests[name] ?? []
            }
        }
        return needed
    }
}
