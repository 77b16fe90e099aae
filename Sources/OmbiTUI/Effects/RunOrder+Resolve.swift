import OmbiCore
import OmbiWorkspace

extension RunOrder {
    /// The request as it will be sent. Reads the secrets that it uses.
    func resolve(overrides: Overrides) throws(ResolveError) -> ResolvedRequest {
        let resolver = Resolver(
            collection: collection, environment: environment.flatMap(collection.environment(named:)),
            overrides: overrides, secrets: .system(folder: directory))
        return try resolver.resolve(request)
    }
}
