import OmbiAuthentication

enum Signing {
    static func digest() -> DigestAuthenticator {
        // sample: OmbiAuthentication/digest
        let authenticator = DigestAuthenticator(username: "Mufasa", password: "Circle of Life")
        // end
        return authenticator
    }

    static func client(_ secret: String) -> OAuth2Authenticator {
        // sample: OmbiAuthentication/client
        let client = OAuth2Client(
            id: "s6BhdRkqt3", secret: secret, server: RequestManager(host: "https://id.example.com"),
            tokenPath: "/oauth/token")
        let authenticator = OAuth2Authenticator(client, flow: .clientCredentials(scopes: ["orders"]))
        // end
        return authenticator
    }

    static func device(
        _ client: OAuth2Client, _ saved: OAuth2Token?, _ store: @escaping @Sendable (OAuth2Token?) -> Void
    ) -> OAuth2Authenticator {
        // sample: OmbiAuthentication/device
        let flow = OAuth2Flow.device(scopes: ["repo"]) { device in
            print("Open \(device.verificationURI) and enter \(device.userCode)")
        }
        let authenticator = OAuth2Authenticator(client, flow: flow, token: saved) { token in
            store(token)
        }
        // end
        return authenticator
    }

    static func browser(_ open: @escaping @Sendable (URL) async throws -> Void) -> OAuth2Flow {
        // sample: OmbiAuthentication/browser
        let flow = OAuth2Flow.browser(scopes: ["profile"]) { page in
            try await open(page)
        }
        // end
        return flow
    }

    static func pasted() -> OAuth2Flow {
        // sample: OmbiAuthentication/pasted
        let flow = OAuth2Flow.pastedRedirect(redirectURI: "https://app.example.com/signed-in") { page in
            print("Sign in at \(page.absoluteString), then paste the address of the last page:")
            return readLine() ?? ""
        }
        // end
        return flow
    }

    static func assertion(_ assertion: @escaping @Sendable () -> String) -> OAuth2Flow {
        // sample: OmbiAuthentication/assertion
        let flow = OAuth2Flow { client in
            try await client.token(
                for: .other(
                    type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    parameters: ["assertion": .string(assertion())]))
        }
        // end
        return flow
    }

    static func aws(_ secret: String) async throws -> URL {
        // sample: OmbiAuthentication/aws
        let authenticator = AWSSignatureV4(
            credentials: AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: secret), region: "eu-central-1",
            service: "s3")
        let link = try await authenticator.presignedURL(
            for: URL(string: "https://bucket.s3.eu-central-1.amazonaws.com/report.pdf")!, lifetime: .seconds(3600))
        // end
        return link
    }
}
