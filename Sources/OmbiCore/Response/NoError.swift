/// The response error of a request without validation. It has no values.
public enum NoError: Error, Sendable, Hashable {}
