import OmbiCore

enum Bodies {
    // sample: WorkingWithBodies/json
    struct CreateUser: HTTPRequest {
        struct RequestBody: Encodable, Sendable {
            let name: String
            let email: String
        }
        typealias ResponseBody = User

        let body: RequestBody
        let path = "/users"
        let method = RequestMethod.post
    }
    // end

    // sample: WorkingWithBodies/coder
    struct Day: Decodable, Sendable {
        let date: Date
    }

    struct Today: HTTPRequest {
        typealias ResponseBody = Day

        let path = "/today"
        let method = RequestMethod.get
        var responseDecoder: BodyDecoder<Day> {
            .json(
                decoder: {
                    let decoder = JSONDecoder()
                    decoder.dateDecodingStrategy = .iso8601
                    decoder.keyDecodingStrategy = .convertFromSnakeCase
                    return decoder
                }())
        }
    }
    // end

    static func anyJSON() -> AnyJSON {
        // sample: WorkingWithBodies/anyJSON
        var order: AnyJSON = ["item": "tea", "quantity": 2, "tags": ["gift", "fragile"], "note": nil]
        order["quantity"] = 3
        print(order["tags"]?[0]?.stringValue ?? "no tags", order["quantity"]?.intValue ?? 0)
        // end
        return order
    }

    // sample: WorkingWithBodies/form
    struct LogIn: HTTPRequest {
        typealias RequestBody = RequestParameters
        typealias ResponseBody = AnyJSON

        let name: String
        let password: String

        let path = "/login"
        let method = RequestMethod.post
        var body: RequestParameters { ["name": .string(name), "password": .string(password), "remember": true] }
    }
    // end

    // sample: WorkingWithBodies/multipart
    struct SendPhoto: HTTPRequest {
        typealias RequestBody = MultipartForm
        typealias ResponseBody = AnyJSON

        let body: MultipartForm

        init(file: URL, title: String) throws {
            body = MultipartForm(parts: [
                .init(value: title, name: "title"),
                try .init(fileURL: file, name: "photo", mimeType: "image/jpeg"),
            ])
        }

        let path = "/photos"
        let method = RequestMethod.post
    }
    // end

    // sample: WorkingWithBodies/stream
    final class Zeros: BodyReader {
        var left: Int

        init(count: Int) { left = count }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(left, buffer.count)
            buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 0)
            left -= count
            return count
        }
    }

    struct SendZeros: HTTPRequest {
        typealias ResponseBody = AnyJSON

        let path = "/zeros"
        let method = RequestMethod.put
        var headers: RequestHeaders { [.contentType: .contentType("application/octet-stream")] }
        var bodyStream: BodyStream { BodyStream(length: 1_000_000) { Zeros(count: 1_000_000) } }
    }
    // end

    static func progress() -> ComposableRequest<Data, Data, HTTPError> {
        // sample: WorkingWithBodies/progress
        let request = ComposableRequest<Data, Data, HTTPError>()
            .path("/archive")
            .downloadProgress { progress in
                print("\(progress.bytes) of \(progress.expected.map(String.init) ?? "unknown") bytes")
            }
        // end
        return request
    }

    // sample: WorkingWithBodies/ownType
    struct Coordinates: AutomaticBodyCoding, Sendable {
        let latitude: Double
        let longitude: Double

        static var contentType: RequestHeaders.Value? { "text/plain" }

        init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }

        init?(fromData data: Data?) throws {
            guard let data else { return nil }
            let numbers = String(decoding: data, as: UTF8.self).split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 2 else { throw CodingFailure("expected two numbers with a comma in between") }
            self.init(latitude: numbers[0], longitude: numbers[1])
        }

        func asData() -> Data? { Data("\(latitude),\(longitude)".utf8) }
    }
    // end
}
