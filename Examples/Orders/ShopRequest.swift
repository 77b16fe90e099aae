import OmbiCore

/// What all requests to the shop have in common.
protocol ShopRequest: Requestable where ResponseError == ShopError {}

extension ShopRequest {
    var headers: RequestHeaders { ["X-Client": "orders"] }
    var timeoutInterval: Double { 5 }
}

extension ShopRequest where ResponseBody: Decodable & SendableMetatype {
    /// The shop answers with what was asked for, or with an error of its own shape.
    var responseDecoder: BodyDecoder<ResponseBody> {
        BodyDecoder(acceptType: .contentType(.json)) { data in
            guard let data else { return nil }
            if let error = try? JSONDecoder().decode(ShopError.self, from: data) {
                throw RequestError<ShopError>.validationError(error)
            }
            return try JSONDecoder().decode(ResponseBody.self, from: data)
        }
    }
}
