/// A request whose every response passes.
public protocol Request: Requestable where ResponseError == NoError {}
