import Foundation
import OmbiCore

/// A request whose every part can be given; any response passes, as bytes.
struct PlainRequest: Request {
    typealias RequestBody = Data
    typealias ResponseBody = Data

    var path = "/"
    var method = RequestMethod.get
    var query: [URLQueryItem] = []
    var headers: RequestHeaders = [:]
    var body: Data?
    var timeoutInterval: TimeInterval = 30
}

/// A request for text that must be a success.
struct TextRequest: HTTPRequest {
    typealias ResponseBody = String

    var path = "/"
    var method = RequestMethod.get
    var fallbackResponse: RequestResponse<String>?
    var timeoutInterval: TimeInterval = 30
}
