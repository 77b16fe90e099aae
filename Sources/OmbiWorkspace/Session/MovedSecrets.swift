/// Grants for secrets that were moved from a collection into the local file beside it: they go where they went before.
public enum MovedSecrets {
    /// Lets secrets go to the destinations that the collection sent them to when they were written in it. Where grants cannot be
    /// kept, the next run asks.
    public static func grant(
        _ secrets: [PlainSecret], in file: String, store: GrantStore? = .standard
    ) {
        let loaded = CollectionFile.load(file).specified()
        guard let store, let collection = loaded.collection else { return }
        // The templates may not have been saved yet.
        var changed =
            PlainSecrets(of: collection, file: file)?.collection(without: secrets, of: collection) ?? collection
        changed.takeOverlay(from: collection)
        let names = Set(secrets.map(\.name))
        let flows = Session().flows(of: changed, file: file).filter { flow in
            if case .local(let name, _) = flow.source { names.contains(name) } else { false }
        }
        if !flows.isEmpty { try? store.add(flows, of: file) }
    }
}
