import OmbiCore

/// What all requests to the hub have in common: its media type, its names in snake case, and its errors.
protocol HubRequest: Requestable where ResponseError == HubError {}

extension HubRequest {
    var headers: RequestHeaders { [.acceptType: "application/vnd.hub+json", "X-Hub-Version": "2026-11-22"] }
    var timeoutInterval: Double { 20 }

    var responseValidator: ResponseValidator<ResponseBody, HubError> {
        ResponseValidator(beforeDecoding: HubError.init(refusing:))
    }
}

extension HubRequest where ResponseBody: Decodable & SendableMetatype {
    var responseDecoder: BodyDecoder<ResponseBody> { .json(decoder: .hub) }
}

/// A request whose success is a 204.
protocol HubCommand: HubRequest where ResponseBody == NoBody {}

extension HubCommand {
    var responseDecoder: BodyDecoder<NoBody> { .automatic }
}

extension JSONDecoder {
    /// Reads `full_name` as `fullName`.
    static var hub: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
