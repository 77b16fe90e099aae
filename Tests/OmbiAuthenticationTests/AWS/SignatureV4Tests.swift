import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

@Suite struct SignatureV4Tests {
    private static let example = AWSCredentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    private static let may24 = Date(timeIntervalSince1970: 1_369_353_600)

    private static func signer(
        _ credentials: AWSCredentials = example, service: String = "s3", region: String = "us-east-1",
        at now: Date = may24,
        payload: AWSSignatureV4.Payload = .automatic
    ) -> AWSSignatureV4 {
        AWSSignatureV4(credentials: credentials, region: region, service: service, payload: payload, now: { now })
    }

    private func url(_ text: String) -> URL { URL(string: text)! }

    private func signature(_ request: TransportRequest) -> Substring? {
        request.headers[.authorization]?.text.split(separator: "Signature=").last
    }

    /// The examples in the documentation of S3.
    @Test(
        arguments: [
            (
                "GET", "https://examplebucket.s3.amazonaws.com/test.txt", ["Range": "bytes=0-9"], "",
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
            ),
            (
                "PUT", "https://examplebucket.s3.amazonaws.com/test$file.text",
                ["Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
                "Welcome to Amazon S3.",
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
            ),
            (
                "GET", "https://examplebucket.s3.amazonaws.com/?lifecycle", [:], "",
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
            ),
            (
                "GET", "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", [:], "",
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
            ),
        ] as [(String, String, [String: String], String, String)])
    func `the published examples of S3`(
        method: String, address: String, headers: [String: String], body: String, expected: String
    ) async throws {
        let request = TransportRequest(
            url: url(address), method: RequestMethod(stringLiteral: method),
            headers: RequestHeaders(headers.map { .init(RequestHeaders.Key($0.key), .string($0.value)) }),
            body: body.isEmpty ? nil : Data(body.utf8))
        let signed = try await Self.signer().authenticate(request)
        #expect(signature(signed).map(String.init) == expected)
    }

    @Test func `the published example of a presigned URL`() async throws {
        let signed = try await Self.signer().presignedURL(
            for: url("https://examplebucket.s3.amazonaws.com/test.txt"), lifetime: .seconds(86_400))
        #expect(
            signed.absoluteString
                == "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    @Test func `the published example of IAM`() async throws {
        let credentials = AWSCredentials(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
        let signer = Self.signer(credentials, service: "iam", at: Date(timeIntervalSince1970: 1_440_938_160))
        let signed = try await signer.authenticate(
            TransportRequest(
                url: url("https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08"),
                headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"]))
        #expect(
            signed.headers[.authorization]?.text
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
                + "SignedHeaders=content-type;host;x-amz-date, "
                + "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7")
        #expect(signed.headers[.amzContentHash] == nil)
    }

    // MARK: botocore

    struct Judged: Decodable, Sendable {
        struct Case: Decodable, Sendable, CustomTestStringConvertible {
            let url, method, service, body, signedHeaders, signature: String
            let headers: [[String]]
            let token: String?
            let expires: Int?

            var testDescription: String {
                "\(service): \(method) \(url) \(headers)\(expires == nil ? "" : ", presigned")"
            }

            var fields: RequestHeaders {
                RequestHeaders(headers.map { .init(RequestHeaders.Key($0[0]), .string($0[1])) })
            }
        }
        let time, key, secret, region: String
        let cases: [Case]
    }

    private static let judged: Judged? = try? JSONDecoder().decode(
        Judged.self, from: Data(contentsOf: URL(fileURLWithPath: PeerFile.path("sigv4.json"))))

    @Test func `there are enough cases that botocore has judged`() throws {
        #expect(try #require(Self.judged).cases.count >= 100)
    }

    @Test(arguments: judged?.cases ?? []) func `a signature is that of botocore`(_ sample: Judged.Case) async throws {
        let judged = try #require(Self.judged)
        let credentials = AWSCredentials(
            accessKeyID: judged.key, secretAccessKey: judged.secret, sessionToken: sample.token)
        let signer = Self.signer(
            credentials, service: sample.service, region: judged.region, at: Date(timeIntervalSince1970: 1_440_938_160))
        if let expires = sample.expires {
            let signed = try await signer.presignedURL(
                for: url(sample.url), method: RequestMethod(stringLiteral: sample.method), headers: sample.fields,
                lifetime: .seconds(expires))
            #expect(signed.absoluteString.hasSuffix("&X-Amz-Signature=\(sample.signature)"), "\(signed)")
        } else {
            let request = TransportRequest(
                url: url(sample.url), method: RequestMethod(stringLiteral: sample.method), headers: sample.fields,
                body: Data(base64Encoded: sample.body))
            let signed = try await signer.authenticate(request)
            let text = signed.headers[.authorization]?.text ?? ""
            #expect(text.contains("SignedHeaders=\(sample.signedHeaders), Signature=\(sample.signature)"), "\(text)")
        }
    }

    /// The first of these that has botocore.
    private static let pythons = ["/usr/bin/python3", "/usr/local/bin/python3"].filter {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test func `the judged cases are those of the script beside them`() async throws {
        for python in Self.pythons {
            let result = try await ChildProgram.run(python, [PeerFile.path("sigv4.py")])
            guard result.status == 0 else {
                try #require(result.errors.contains("ModuleNotFoundError"), "\(result.errors)")
                continue
            }
            #expect(result.output == (try String(contentsOfFile: PeerFile.path("sigv4.json"), encoding: .utf8)))
            return
        }
        print("botocore is not installed (apt-get install python3-botocore): its signatures are those in sigv4.json")
    }

    // MARK: Beside the signature

    @Test func `an attempt that is signed again is signed anew`() async throws {
        let request = TransportRequest(url: url("https://b.s3.amazonaws.com/k"), method: .put, body: Data("a".utf8))
        let once = try await Self.signer().authenticate(request)
        #expect(try await Self.signer().authenticate(once) == once)
        let later = try await Self.signer(at: Self.may24.addingTimeInterval(1)).authenticate(once)
        #expect(later.headers[.amzDate] == "20130524T000001Z" && signature(later) != signature(once))
    }

    @Test(
        arguments: [
            (AWSSignatureV4.Payload.automatic, "https", "s3", "UNSIGNED-PAYLOAD"),
            (.automatic, "http", "s3", "hash"), (.hashed, "https", "s3", "hash"),
            (.unsigned, "http", "s3", "UNSIGNED-PAYLOAD"),
            (.automatic, "https", "es", nil),
        ] as [(AWSSignatureV4.Payload, String, String, String?)])
    func `a stream is hashed where it has to be`(
        payload: AWSSignatureV4.Payload, scheme: String, service: String, expected: String?
    ) async throws {
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let signer = Self.signer(service: service, payload: payload)
        var request = TransportRequest(url: url("\(scheme)://b.s3.amazonaws.com/k"), method: .put)
        request.body = bytes
        let whole = try await Self.signer(service: service, payload: .hashed).authenticate(request)
        request.body = nil
        request.bodyStream = BodyStream(data: bytes)
        let signed = try await signer.authenticate(request)
        let hash = signed.headers[.amzContentHash]?.text
        #expect(hash == (expected == "hash" ? HashFunction.sha256.hex(bytes) : expected))
        if expected != "UNSIGNED-PAYLOAD" { #expect(signature(signed) == signature(whole)) }
    }

    @Test func `a stream that cannot be read is an error, and nothing is signed`() async {
        struct Broken: Error {}
        let stream = BodyStream(length: 3) { throw Broken() }
        let request = TransportRequest(url: url("http://b.s3.amazonaws.com/k"), method: .put, bodyStream: stream)
        await #expect(throws: BodyStreamError.self) { try await Self.signer().authenticate(request) }
    }

    @Test func `a hash that the request names counts`() async throws {
        let request = TransportRequest(
            url: url("https://b.s3.amazonaws.com/k"), method: .put, headers: ["x-amz-content-sha256": "STREAMING-X"])
        let signed = try await Self.signer().authenticate(request)
        #expect(signed.headers.values(for: .amzContentHash) == ["STREAMING-X"])
    }

    @Test func `temporary keys are asked for once, and again before they expire`() async throws {
        let clock = LoopbackLock(Self.may24)
        let calls = LoopbackLock(0)
        let signer = AWSSignatureV4(region: "r", service: "s3", now: { clock.withLock { $0 } }) {
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            return AWSCredentials(
                accessKeyID: "K\(number)", secretAccessKey: "s", sessionToken: "t\(number)",
                expiresAt: clock.withLock { $0 }.addingTimeInterval(3600))
        }
        let request = TransportRequest(url: url("https://b.s3.amazonaws.com/k"))
        for (step, expected) in [(0.0, "t1"), (3539, "t1"), (1, "t2"), (0, "t2")] {
            clock.withLock { $0 += step }
            #expect(try await signer.authenticate(request).headers[.amzSecurityToken]?.text == expected)
        }
        #expect(calls.withLock { $0 } == 2)
    }

    @Test(arguments: [(303, RequestMethod.get, ""), (307, .put, "body")], ["s3", "execute-api"])
    func `a redirect within the origin is signed again`(
        redirect: (status: Int, method: RequestMethod, body: String), service: String
    ) async throws {
        let server = try LoopbackServer { $0.target == "/a" ? .redirect(redirect.status, to: "/b?c=d") : .ok("in") }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        manager.shouldInjectDefaultHeaders = false
        manager.authenticator = Self.signer(service: service)
        let request = ComposableRequest<Data, String, NoError>().path("/a").method(.put).body(Data("body".utf8))
        #expect(try await manager.value(for: request) == "in")
        let arrived = try #require(server.requests.last)
        var expected = TransportRequest(
            url: url(server.host + "/b?c=d"), method: redirect.method, body: Data(redirect.body.utf8))
        for (name, value) in arrived.headers where ["accept", "content-type"].contains(name) {
            expected.headers[RequestHeaders.Key(name)] = .string(value)
        }
        let signed = try await Self.signer(service: service).authenticate(expected)
        #expect(arrived.headers["authorization"] == signed.headers[.authorization]?.text)
        #expect(arrived.headers["x-amz-content-sha256"] == signed.headers["X-Amz-Content-SHA256"]?.text)
        #expect(arrived.text == redirect.body)
    }

    @Test(arguments: [303, 307]) func `another origin gets nothing that the signature added`(status: Int) async throws {
        let other = try LoopbackServer { _ in .ok("in") }
        defer { other.stop() }
        let server = try LoopbackServer { _ in .redirect(status, to: other.host + "/signed") }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        var keys = Self.example
        keys.sessionToken = "session"
        manager.authenticator = Self.signer(keys)
        let task = manager.send(PlainGet())
        _ = try await task.response
        let arrived = try #require(other.requests.first)
        #expect(!arrived.headers.keys.contains { $0.hasPrefix("x-amz") || $0 == "authorization" })
        let withheld = await task.report?.attempts.first?.metrics.redirects.first?.withheld
        #expect(withheld?.contains("X-Amz-Date") == true)
    }

    private struct PlainGet: Request {
        typealias ResponseBody = Data
        let path = "/x"
        let method = RequestMethod.get
    }

    @Test func `a refusal is not answered with another attempt`() async throws {
        let transport = StubTransport.stubResponse(statusCode: 401, data: Data())
        let run = AuthenticatedRun(authenticator: Self.signer(), transport: transport)
        #expect(try await run.send(TransportRequest(url: url("https://b.s3.amazonaws.com/k"))).sent.count == 1)
    }

    @Test func `a description does not show the secret`() {
        let credentials = AWSCredentials(accessKeyID: "AKID", secretAccessKey: "s3cret", sessionToken: "t0ken")
        var dumped = ""
        dump(Self.signer(credentials), to: &dumped)
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped, "\(Self.signer(credentials))"] {
            #expect(!text.contains("s3cret") && !text.contains("t0ken"), "\(text)")
        }
    }
}
