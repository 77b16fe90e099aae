/// A request that accepts every response.
public protocol Request: Requestable where ResponseError == NoError {}
