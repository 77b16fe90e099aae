/// A request whose response must have a status from 200 to 299.
public protocol HTTPRequest: Requestable where ResponseError == HTTPError {}
