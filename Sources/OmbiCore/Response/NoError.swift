/// The response error of a request that validates nothing. It has no values.
public enum NoError: Error, Sendable, Hashable {}
