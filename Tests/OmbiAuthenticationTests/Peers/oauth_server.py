#!/usr/bin/env python3
"""An authorization server made of Authlib and Flask, for tests. It listens on its standard input, a socket.

Clients: "confidential" with the secret "s3cret", "public" without one. Whoever opens /authorize says yes, unless
the query has deny=1; /approve and /deny decide about the device with that user_code.
"""
import os
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, AuthorizationCodeMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from flask import Flask, jsonify, request
from werkzeug.serving import make_server


class Client(ClientMixin):
    def __init__(self, client_id, secret):
        self.client_id, self.secret = client_id, secret

    def get_client_id(self): return self.client_id
    def get_default_redirect_uri(self): return None
    def get_allowed_scope(self, scope): return " ".join(s for s in (scope or "").split() if s in ("read", "write"))
    def check_redirect_uri(self, uri): return uri.startswith("http://127.0.0.1:") and uri.endswith("/callback")
    def check_client_secret(self, secret): return self.secret == secret
    def check_response_type(self, kind): return kind == "code"
    def check_grant_type(self, kind): return True

    def check_endpoint_auth_method(self, method, endpoint):
        return method in (("client_secret_basic", "client_secret_post") if self.secret else ("none",))


class Token(TokenMixin):
    def __init__(self, token, client, user):
        self.access, self.refresh, self.scope = token["access_token"], token.get("refresh_token"), token.get("scope", "")
        self.client_id, self.user = client.client_id, user
        self.expires_at, self.revoked = time.time() + token["expires_in"], False

    def check_client(self, client): return self.client_id == client.client_id
    def get_scope(self): return self.scope
    def get_expires_in(self): return 3600
    def is_expired(self): return self.expires_at < time.time()
    def is_revoked(self): return self.revoked


class Code(AuthorizationCodeMixin):
    def __init__(self, **values): self.__dict__.update(values)
    def get_redirect_uri(self): return self.redirect_uri
    def get_scope(self): return self.scope


CLIENTS = {c.client_id: c for c in (Client("confidential", "s3cret"), Client("public", ""))}
TOKENS, CODES, DEVICES, DECISIONS = [], {}, {}, {}


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def save_authorization_code(self, code, request):
        data = request.data
        CODES[code] = Code(code=code, client_id=request.client.client_id, redirect_uri=request.redirect_uri,
                           scope=request.scope, user=request.user, code_challenge=data.get("code_challenge"),
                           code_challenge_method=data.get("code_challenge_method"))

    def query_authorization_code(self, code, client):
        found = CODES.get(code)
        return found if found and found.client_id == client.client_id else None

    def delete_authorization_code(self, code): CODES.pop(code.code, None)
    def authenticate_user(self, code): return code.user


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        return next((t for t in TOKENS if t.refresh == refresh_token and not t.revoked), None)

    def authenticate_user(self, credential): return credential.user
    def revoke_old_credential(self, credential): credential.revoked = True


class ClientGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic"]

    def query_device_credential(self, device_code): return DEVICES.get(device_code)
    def query_user_grant(self, user_code): return DECISIONS.get(user_code)
    def should_slow_down(self, credential): return False


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic"]

    def get_verification_uri(self): return request.host_url + "device"

    def save_device_credential(self, client_id, scope, data):
        DEVICES[data["device_code"]] = DeviceCredentialDict(
            client_id=client_id, scope=scope, user_code=data["user_code"], expires_at=time.time() + data["expires_in"])


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, query_client=CLIENTS.get,
                             save_token=lambda token, r: TOKENS.append(Token(token, r.client, r.user)))
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
for grant in (RefreshGrant, ClientGrant, DeviceGrant):
    server.register_grant(grant)
server.register_endpoint(DeviceEndpoint)


class Validator(BearerTokenValidator):
    def authenticate_token(self, text): return next((t for t in TOKENS if t.access == text), None)


protected = ResourceProtector()
protected.register_token_validator(Validator())


@app.get("/authorize")
def authorize(): return server.create_authorization_response(grant_user=None if request.args.get("deny") else "Ada")


@app.post("/token")
def token(): return server.create_token_response()


@app.post("/device_authorization")
def device(): return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.post("/approve/<code>")
def approve(code):
    DECISIONS[code] = ("Ada", True)
    return "approved"


@app.post("/deny/<code>")
def deny(code):
    DECISIONS[code] = ("Ada", False)
    return "denied"


@app.post("/revoke")
def revoke():
    """Every access token; with all=1 the refresh tokens, too."""
    for item in TOKENS:
        item.access = None
        item.revoked = item.revoked or bool(request.args.get("all"))
    return "revoked"


@app.get("/me")
@protected("read")
def me(): return jsonify(user=current_token.user, scope=current_token.scope)


make_server("127.0.0.1", 0, app, threaded=True, fd=0).serve_forever()
