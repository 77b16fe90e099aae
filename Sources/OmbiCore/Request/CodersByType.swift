#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The coders that `Requestable` chooses by type at compile time, chosen at run time: for a generic request with any
// type of body. The lock is for the types that the closures capture, which need not be Sendable. It holds a struct
// because a bare closure would be wrapped once more each time that it is read through a generic type.

extension BodyEncoder {
    static var byType: Self {
        let encode = Lock(
            Encode { body in
                switch body {
                case let body as any AutomaticBodyEncoding: return try body.encodedBody()
                case let body as any Encodable:
                    return EncodedBody(data: try JSONEncoder().encode(body), contentType: .contentType(.json))
                default: throw CodingFailure("\(Body.self) has no encoder; give one with encodeBody(with:)")
                }
            })
        return .encoded {
            let encode = encode.withLock { $0 }
            return try encode.run($0)
        }
    }

    private struct Encode {
        let run: (Body) throws -> EncodedBody?
    }
}

extension BodyDecoder {
    static var byType: Self {
        let decode = Lock(
            Decode { data in
                if let type = Body.self as? any AutomaticBodyDecoding.Type {
                    return try type.init(fromData: data) as? Body
                }
                guard let data else { return nil }
                if let type = Body.self as? any Decodable.Type {
                    return try JSONBody.decode(type, from: data, with: JSONDecoder()) as? Body
                }
                throw CodingFailure("\(Body.self) has no decoder; give one with decodeBody(with:)")
            })
        return Self(acceptType: acceptTypeByType) {
            let decode = decode.withLock { $0 }
            return try decode.run($0)
        }
    }

    private struct Decode {
        let run: (Data?) throws -> Body?
    }

    private static var acceptTypeByType: RequestHeaders.Value? {
        if let type = Body.self as? any AutomaticBodyDecoding.Type { return type.acceptType }
        return Body.self is any Decodable.Type ? .contentType(.json) : nil
    }
}

extension ResponseValidator {
    /// The status check if the error is `HTTPError`.
    static var byType: Self { ResponseValidator<ResponseBody, HTTPError>.default as? Self ?? .unsafe }
}
