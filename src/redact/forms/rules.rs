//! The tokens that are recognised by their own form, as rows of data, each with its source.
//!
//! A row says where the rule is tried (`keys`, found in any case by one automaton over the text), the form of the token
//! (`pattern`, anchored at the key, case as written), what may stand before it, and where the form is documented. Where the
//! pattern has a group, only the group is masked. A new type is a new row here and new lines in fixtures/redact-families.jsonl and
//! fixtures/redact-own.jsonl.
//!
//! `gitleaks b58d3f1` in a source names the rule set with which the form was compared; the rows are our own.

use once_cell::sync::OnceCell;
use regex::bytes::{Regex, RegexBuilder};

/// What may stand directly before the match.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum Left {
    /// Anything: the prefix is so rare that a glued token (`id_ghp_…`) is still one.
    Free,
    /// No letter, digit or underscore: the prefix is short.
    Word,
    /// No letter or digit: words end in the prefix (`task-`). An underscore may join a name to the token (`KEY_sk-…`).
    Letter,
    /// No letter, digit, `_`, `-`, `/` or `+`: the prefix occurs inside base64.
    Run,
}

/// A further condition on the matched token. An example, such as `ghp_xxxxxxxx` or `AKIAIOSFODNN7EXAMPLE`, never fulfils it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum Check {
    /// At least five different characters among its last sixteen.
    Varied,
    /// Not made of words: prose and code use the prefix too, as in `sk-learn`.
    Random,
    /// Both cases and two digits in a row of 12 characters or more at its end: words too begin with the prefix.
    Generated,
}

/// The bytes before the key that belong to the token.
#[derive(Clone, Copy)]
pub(in crate::redact) struct Lead {
    /// True for bytes that may stand before the key.
    pub class: fn(u8) -> bool,
    /// At most this many bytes before the key belong to the token.
    pub most: usize,
}

/// One type of token.
pub(in crate::redact) struct Rule {
    /// The type in the mark, such as `github-token`.
    pub name: &'static str,
    /// The strings at which the rule is tried, in lower case.
    pub keys: &'static [&'static str],
    /// The form of the token, a regular expression anchored at the key or, with `lead`, at the first byte before the key that
    /// belongs to the token.
    pub pattern: &'static str,
    /// Where the form is documented.
    pub source: &'static str,
    pub left: Left,
    pub lead: Option<Lead>,
    pub check: Check,
    /// `true`: no letter, digit or underscore may follow the match.
    pub closed: bool,
}

const fn rule(
    name: &'static str,
    keys: &'static [&'static str],
    pattern: &'static str,
    source: &'static str,
) -> Rule {
    Rule {
        name,
        keys,
        pattern,
        source,
        left: Left::Free,
        lead: None,
        check: Check::Varied,
        closed: false,
    }
}

impl Rule {
    const fn word(mut self) -> Self {
        self.left = Left::Word;
        self
    }
    const fn letter(mut self) -> Self {
        self.left = Left::Letter;
        self
    }
    const fn run(mut self) -> Self {
        self.left = Left::Run;
        self
    }
    const fn closed(mut self) -> Self {
        self.closed = true;
        self
    }
    const fn random(mut self) -> Self {
        self.check = Check::Random;
        self
    }
    const fn generated(mut self) -> Self {
        self.check = Check::Generated;
        self
    }
    const fn lead(mut self, class: fn(u8) -> bool, most: usize) -> Self {
        self.lead = Some(Lead { class, most });
        self
    }
}

/// The pattern of row `nth`, anchored at the start and compiled at its first use.
pub(in crate::redact) fn regex(nth: usize) -> &'static Regex {
    static COMPILED: OnceCell<Vec<OnceCell<Regex>>> = OnceCell::new();
    let all = COMPILED.get_or_init(|| RULES.iter().map(|_| OnceCell::new()).collect());
    all[nth].get_or_init(|| {
        RegexBuilder::new(&format!(r"\A(?:{})", RULES[nth].pattern))
            .unicode(false)
            .build()
            .expect("a test compiles every row")
    })
}

fn digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}
fn alnum(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}
fn azure(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_~.".contains(&byte)
}

const GITHUB: &str =
    "github.blog 2021-04-05 token formats; GitHub changelog 2026-04-24 for ghs_ with dots";
const GITLAB: &str = "docs.gitlab.com/security/tokens, Token prefixes";
const SLACK: &str = "docs.slack.dev/authentication/tokens";
const CRYPT: &str = "crypt(5)";
const LEAKS: &str = "form as in gitleaks b58d3f1";

/// Every type of token that is recognised by its own form.
pub(in crate::redact) static RULES: &[Rule] = &[
    // Forges
    rule("github-token", &["ghp_", "gho_", "ghu_", "ghr_", "ghs_"], r"gh[pousr]_(?:[A-Za-z0-9]{16,}(?:[._\-][A-Za-z0-9_\-]{20,})*|[A-Za-z0-9._\-]{36,})", GITHUB).random(),
    rule("github-token", &["github_pat_"], r"github_pat_[A-Za-z0-9_]{36,}", GITHUB),
    rule("github-token", &["ghsat0"], r"GHSAT0[A-Za-z0-9_\-]{20,}", "raw.githubusercontent.com ?token= of private files"),
    rule("github-token", &["v1."], r"v1\.[0-9a-f]{40}", "GitHub app tokens before 2021").word().closed(),
    rule("gitlab-token", &["glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "glwt-"],
        r"gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_.=\-]{16,}", GITLAB),
    rule("gitlab-token", &["gr1348941"], r"GR1348941[A-Za-z0-9_\-]{20,}", GITLAB),
    rule("gitlab-token", &["_gitlab_session="], r"_gitlab_session=([0-9a-z]{32})", LEAKS),
    rule("gitea-token", &["gto_"], r"gto_[a-z2-7]{40,}", "go-gitea models/auth/oauth2.go, client secrets"),
    rule("bitbucket-token", &["atbb"], r"ATBB[A-Za-z0-9]{24,}", "support.atlassian.com, app passwords").word(),
    rule("atlassian-token", &["atatt3", "atctt3", "atstt3"], r"AT[ACS]TT3[A-Za-z0-9_=\-]{50,}", "support.atlassian.com, API tokens"),
    rule("sourcegraph-token", &["sgp_", "slk_", "sgd_"], r"(?:sgp|slk|sgd)_(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40,64}", "sourcegraph.com docs, access tokens"),
    // Language models
    rule("anthropic-key", &["sk-ant-"], r"sk-ant-[a-z]{2,8}[0-9]{2}-[A-Za-z0-9_\-]{20,}", "docs.anthropic.com, API keys; oat and ort from Claude Code"),
    rule("anthropic-key", &["sk-ant-"], r"sk-ant-[A-Za-z0-9_\-]{32,}", "older Anthropic keys").random(),
    rule("openrouter-key", &["sk-or-"], r"sk-or-(?:v[0-9]-)?[A-Za-z0-9]{32,}", "openrouter.ai docs"),
    rule("langfuse-key", &["sk-lf-"], r"sk-lf-[0-9a-f\-]{36}", "langfuse.com docs"),
    rule("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-service-", "sk-none-"], r"sk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_\-]{20,}", "platform.openai.com, API keys").random(),
    rule("openai-key", &["sk-"], r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}", LEAKS),
    rule("openai-key", &["sk-"], r"sk-[A-Za-z0-9]{32,}", "OpenAI before 2024, DeepSeek, Moonshot, DashScope and others that took the form").letter().random(),
    rule("openai-key", &["sess-"], r"sess-[A-Za-z0-9]{40,}", "OpenAI session keys").word().random(),
    rule("xai-key", &["xai-"], r"xai-[A-Za-z0-9]{60,}", "docs.x.ai"),
    rule("groq-key", &["gsk_"], r"gsk_[A-Za-z0-9]{40,}", "console.groq.com"),
    rule("perplexity-key", &["pplx-"], r"pplx-[A-Za-z0-9]{32,}", "docs.perplexity.ai").random(),
    rule("huggingface-token", &["hf_", "api_org_"], r"(?:hf|api_org)_[A-Za-z0-9]{30,}", "huggingface.co/docs/hub/security-tokens"),
    rule("replicate-token", &["r8_"], r"r8_[A-Za-z0-9]{32,}", "replicate.com docs").word(),
    rule("nvidia-key", &["nvapi-"], r"nvapi-[A-Za-z0-9_\-]{40,}", "build.nvidia.com"),
    rule("cerebras-key", &["csk-"], r"csk-[a-z0-9]{40,}", "inference-docs.cerebras.ai").word(),
    rule("fireworks-key", &["fw_"], r"fw_[A-Za-z0-9]{22,}", "docs.fireworks.ai").word().random(),
    rule("together-key", &["tgp_v1_"], r"tgp_v1_[A-Za-z0-9_\-]{40,}", "docs.together.ai"),
    rule("langsmith-key", &["lsv2_"], r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}", "docs.smith.langchain.com"),
    rule("pinecone-key", &["pcsk_"], r"pcsk_[A-Za-z0-9_]{40,}", "docs.pinecone.io"),
    rule("tavily-key", &["tvly-"], r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,}", "docs.tavily.com"),
    rule("elevenlabs-key", &["sk_"], r"sk_[0-9a-f]{48}", "elevenlabs.io docs").word().closed(),
    rule("e2b-key", &["e2b_"], r"e2b_[0-9a-f]{40}", "e2b.dev docs"),
    // Clouds
    rule("aws-access-key-id", &["akia", "asia", "abia", "acca", "a3t"], r#"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?:(?:["']?[ \t]*[:,;|/][ \t]*["']?|[ \t]+)[A-Za-z0-9/+]{39}(?:[A-Za-z0-9]\b|[/+]))?"#, "AWS IAM identifiers, with the secret where it stands right behind").word().closed(),
    rule("aws-session-token", &["iqojb3jpz2lu", "fwogzxivyxdz"], r"(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/=]{60,}", "AWS STS").run(),
    rule("aws-bedrock-key", &["absk"], r"ABSK[A-Za-z0-9+/]{100,}={0,2}", LEAKS).run(),
    rule("aws-bedrock-key", &["bedrock-api-key-"], r"bedrock-api-key-[A-Za-z0-9+/=]{40,}", LEAKS),
    rule("aws-mws-key", &["amzn.mws."], r"amzn\.mws\.[0-9a-f\-]{36}", "Amazon MWS"),
    rule("google-api-key", &["aiza"], r"AIza[A-Za-z0-9_\-]{35}", "cloud.google.com/docs/authentication/api-keys"),
    rule("google-api-key", &["aq.ab"], r"AQ\.Ab[A-Za-z0-9_\-]{20,}", "ai.google.dev: keys of the Gemini interface since 2025").word().random(),
    rule("google-oauth-token", &["ya29."], r"ya29\.[A-Za-z0-9_.\-]{30,}", "developers.google.com/identity"),
    rule("google-oauth-token", &["1//0"], r"1//0[A-Za-z0-9_\-]{35,}", "Google refresh tokens").word(),
    rule("google-client-secret", &["gocspx-"], r"GOCSPX-[A-Za-z0-9_\-]{24,}", "Google OAuth client secrets"),
    rule("firebase-key", &[":apa91b"], r"[A-Za-z0-9_\-]{0,24}:APA91b[A-Za-z0-9_\-]{100,}", "Firebase cloud messaging").lead(|b| alnum(b) || b == b'_' || b == b'-', 24),
    rule("azure-client-secret", &["q~"], r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.\-]{31,34}", "Entra ID client secrets; form as in gitleaks b58d3f1").lead(azure, 4),
    rule("azure-devops-token", &["azdo"], r"[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}", "learn.microsoft.com, Azure DevOps PAT format 2024").lead(alnum, 80),
    rule("azure-key", &["jqqj9"], r"[A-Za-z0-9]{52}JQQJ9[9D][A-Za-z0-9]{20,}", "Common annotated security keys").lead(alnum, 52),
    rule("azure-key", &["+ast", "azse", "azfu", "acdb", "azca", "apim", "+aia", "aria"], r"[A-Za-z0-9/+]{30,80}(?:\+ASt|AzSe|AzFu|ACDb|AzCa|APIM|\+AIa|ARIa|\+ARm)[A-Za-z0-9/+]{3,8}={0,2}", "Azure identifiable keys").lead(|b| alnum(b) || b == b'+' || b == b'/', 80),
    rule("alibaba-key", &["ltai"], r"LTAI[A-Za-z0-9]{16,26}", "Alibaba Cloud RAM").word().closed(),
    rule("tencent-key", &["akid"], r"AKID[A-Za-z0-9]{32}", "Tencent Cloud CAM").word().closed(),
    rule("yandex-key", &["aqvn"], r"AQVN[A-Za-z0-9_\-]{35,38}", LEAKS).word(),
    rule("yandex-token", &["y0_", "t1.9eu"], r"(?:y0_[A-Za-z0-9_\-]{50,}|t1\.9eu[A-Za-z0-9_\-]+=*\.[A-Za-z0-9_\-]{80,}=*)", "yandex.cloud IAM").word(),
    rule("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], r"do[por]_v1_[a-f0-9]{64}", "docs.digitalocean.com"),
    rule("heroku-key", &["hrku-"], r"HRKU-[A-Za-z0-9_\-]{36,}", "devcenter.heroku.com 2024"),
    rule("fly-token", &["fo1_", "fm1a_", "fm1r_", "fm2_"], r"(?:fo1_[A-Za-z0-9_\-]{40,}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{40,}={0,3})", "fly.io/docs, tokens").word(),
    rule("cloudflare-key", &["v1.0-"], r"v1\.0-[a-f0-9]{24}-[a-f0-9]{140,}", "Cloudflare Origin CA").word(),
    rule("cloudflare-token", &["cfut_", "cfat_", "cfk_"], r"cf(?:ut|at|k)_[A-Za-z0-9]{40,}", "developers.cloudflare.com 2026").word(),
    rule("databricks-token", &["dapi", "dkea", "dose"], r"(?:dapi|dkea|dose)[a-f0-9]{32}(?:-[0-9])?", "docs.databricks.com").word().closed(),
    rule("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_", "vercel_blob_rw_"], r"(?:vc[piark]_[A-Za-z0-9]{24,}|vercel_blob_rw_[A-Za-z0-9_]{30,})", "vercel.com/docs").word(),
    rule("netlify-token", &["nfp_", "nfc_", "nfo_"], r"nf[pco]_[A-Za-z0-9_\-]{30,}", "docs.netlify.com").word(),
    rule("render-key", &["rnd_"], r"rnd_[A-Za-z0-9]{28,}", "render.com/docs/api").word().random(),
    rule("supabase-key", &["sbp_", "sb_secret_"], r"(?:sbp_(?:v[0-9]_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_\-]{20,})", "supabase.com/docs"),
    rule("scalingo-token", &["tk-us-"], r"tk-us-[A-Za-z0-9_\-]{40,}", LEAKS).word(),
    rule("openshift-token", &["sha256~"], r"sha256~[A-Za-z0-9_\-]{43}", "docs.openshift.com"),
    rule("linode-token", &["linode_"], r"linode_[a-f0-9]{64}", "linode.com docs").word(),
    rule("planetscale-token", &["pscale_"], r"pscale_(?:tkn|oauth|pw|app_secret|rtkn)_[A-Za-z0-9_=.\-]{30,}", "planetscale.com/docs"),
    rule("neon-key", &["napi_"], r"napi_[a-z0-9]{50,}", "neon.tech/docs").word(),
    rule("mongodb-key", &["mdb_sa_sk_"], r"mdb_sa_sk_[A-Za-z0-9_\-]{30,}", "mongodb.com Atlas service accounts"),
    rule("elastic-key", &["essu_"], r"essu_[A-Za-z0-9_=\-]{40,}", "elastic.co Cloud API").word(),
    rule("tailscale-key", &["tskey-"], r"tskey-[a-z]{2,12}-[A-Za-z0-9\-]{16,}", "tailscale.com/kb/1277").random(),
    // Chat and mail
    rule("slack-token", &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe."], r"xox(?:e\.xox)?[a-z]-[A-Za-z0-9%+/=\-]{16,}", SLACK).random(),
    rule("slack-token", &["xapp-"], r"xapp-[0-9]-[A-Za-z0-9\-]{20,}", SLACK),
    rule("slack-webhook", &["hooks.slack.com/"], r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_\-]{20,}", SLACK),
    rule("slack-webhook", &["hooks.slack-gov.com/"], r"hooks\.slack-gov\.com/services/[A-Za-z0-9+/_\-]{20,}", SLACK),
    rule("discord-webhook", &["/api/webhooks/"], r"/api/webhooks/[0-9]{15,22}/[A-Za-z0-9_\-]{40,}", "discord.com/developers/docs/resources/webhook"),
    rule("teams-webhook", &["/webhookb2/", "/incomingwebhook/"], r"/(?i:webhookb2|IncomingWebhook)/[A-Za-z0-9@/\-]{30,}", LEAKS),
    rule("telegram-token", &[":aa"], r"[0-9]{7,12}:AA[A-Za-z0-9_\-]{32,35}", "core.telegram.org/bots/api").lead(digit, 12),
    rule("sendgrid-key", &["sg."], r"SG\.[A-Za-z0-9_\-]{16,32}\.[A-Za-z0-9_\-]{16,64}", "docs.sendgrid.com").word().random(),
    rule("mailgun-key", &["key-"], r"key-[0-9a-f]{32}", "documentation.mailgun.com").word().closed(),
    rule("mailgun-key", &["pubkey-"], r"pubkey-[0-9a-f]{32}", "documentation.mailgun.com").word().closed(),
    rule("mailchimp-key", &["-us"], r"[0-9a-f]{32}-us[0-9]{1,2}", "mailchimp.com/developer").lead(|b| b.is_ascii_hexdigit(), 32).closed(),
    rule("brevo-key", &["xkeysib-", "xsmtpsib-"], r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}", "developers.brevo.com"),
    rule("resend-key", &["re_"], r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}", "resend.com/docs").word().random(),
    rule("postman-key", &["pmak-"], r"PMAK-[A-Za-z0-9]{24}-[A-Za-z0-9]{34}", "learning.postman.com"),
    rule("twilio-key", &["sk"], r"SK[0-9a-f]{32}", "twilio.com/docs/iam/api-keys").word().closed(),
    rule("twilio-key", &["twilio"], r#"(?i:twilio)[^\n]{0,40}\(["']AC[0-9a-f]{32}["'], ?["']([0-9a-f]{32})["']"#, "twilio.com/docs: the client takes the account and its token"),
    rule("facebook-token", &["eaa"], r"EAA[A-Za-z0-9]{80,}", "developers.facebook.com").run(),
    // Money and shops
    rule("stripe-key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_", "sk_org_"], r"[sr]k_(?:live|test|prod|org)_[A-Za-z0-9_]{10,}", "docs.stripe.com/keys").random(),
    rule("stripe-webhook-secret", &["whsec_"], r"whsec_[A-Za-z0-9+/=]{24,}", "docs.stripe.com/webhooks"),
    rule("square-token", &["sq0atp-", "sq0csp-", "sq0idp-"], r"sq0(?:atp|csp|idp)-[A-Za-z0-9_\-]{22,}", "developer.squareup.com"),
    rule("square-token", &["eaaa"], r"EAAA[A-Za-z0-9_\-]{56,60}", "developer.squareup.com").run(),
    rule("braintree-token", &["access_token$"], r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}", "developer.paypal.com/braintree"),
    rule("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shpua_"], r"shp(?:at|ca|pa|ss|tka|ua)_[A-Fa-f0-9]{32,}", "shopify.dev/docs/apps/auth"),
    rule("easypost-key", &["ezak", "eztk"], r"EZ[AT]K[A-Za-z0-9]{54}", "docs.easypost.com").word(),
    rule("shippo-token", &["shippo_"], r"shippo_(?:live|test)_[a-fA-F0-9]{40}", "docs.goshippo.com"),
    rule("duffel-token", &["duffel_"], r"duffel_(?:test|live)_[A-Za-z0-9_=\-]{40,}", "duffel.com/docs"),
    rule("flutterwave-key", &["flwseck"], r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?", "developer.flutterwave.com"),
    rule("plaid-token", &["access-sandbox-", "access-development-", "access-production-"], r"access-(?:sandbox|development|production)-[0-9a-f\-]{36}", "plaid.com/docs"),
    rule("razorpay-key", &["rzp_live_", "rzp_test_"], r"rzp_(?:live|test)_[A-Za-z0-9]{14,}", "razorpay.com/docs").random(),
    // Packages and builds
    rule("npm-token", &["npm_"], r"npm_[A-Za-z0-9]{36,}", "docs.npmjs.com, access tokens"),
    rule("npm-token", &["/:_authtoken="], r"/:_(?i:authToken)=([A-Za-z0-9+/=_.\-]{16,})", "docs.npmjs.com, npmrc").random(),
    rule("pypi-token", &["pypi-ag"], r"pypi-Ag[A-Za-z0-9_\-]{50,}", "the help of the Python Package Index, \"API tokens\""),
    rule("crates-token", &["cio"], r"cio[A-Za-z0-9]{32}", "the Rust project: tokens with a prefix, since 2021").word().closed().random(),
    rule("rubygems-key", &["rubygems_"], r"rubygems_[a-f0-9]{48}", "the RubyGems guides"),
    rule("nuget-key", &["oy2"], r"oy2[a-z0-9]{43}", "learn.microsoft.com/nuget").word().closed(),
    rule("clojars-token", &["clojars_"], r"CLOJARS_[A-Za-z0-9]{60}", "github.com/clojars/clojars-web"),
    rule("docker-token", &["dckr_pat_", "dckr_oat_"], r"dckr_[po]at_[A-Za-z0-9_\-]{24,}", "docs.docker.com/security/access-tokens"),
    rule("artifactory-key", &["akcp"], r"AKCp[0-9A-Za-z]{60,}", "jfrog.com/help").word(),
    rule("artifactory-token", &["cmvmd"], r"cmVmd[0-9A-Za-z]{59}", "jfrog.com/help, reference tokens").run().closed(),
    rule("packagist-token", &["packagist_"], r"packagist_[a-z]{3}_[a-f0-9]{60,}", "packagist.com/docs"),
    rule("buildkite-token", &["bkua_", "bkct_", "bkat_", "bkpt_"], r"bk(?:ua|ct|at|pt)_[A-Za-z0-9_\-]{32,}", "buildkite.com/docs"),
    rule("circleci-token", &["ccipat_", "ccipra_", "cciprj_"], r"CCI(?:PAT|PRA|PRJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}", "circleci.com/docs"),
    rule("pulumi-token", &["pul-"], r"pul-[a-f0-9]{40}", "pulumi.com/docs").word(),
    rule("terraform-token", &[".atlasv1."], r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=\-]{60,}", "developer.hashicorp.com/terraform/cloud-docs").lead(alnum, 14),
    rule("vault-token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[A-Za-z0-9_\-]{24,}", "developer.hashicorp.com/vault/docs/concepts/tokens").random(),
    rule("vault-token", &["s."], r"[sb]\.[A-Za-z0-9]{24}(?:\.[A-Za-z0-9]{5,8})?", "Vault before 1.10").word().closed().random(),
    rule("octopus-key", &["api-"], r"API-[A-Z0-9]{26,}", "octopus.com/docs").word().random(),
    rule("harness-key", &["pat.", "sat."], r"[ps]at\.[A-Za-z0-9_\-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}", "developer.harness.io").word(),
    rule("infracost-key", &["ico-"], r"ico-[A-Za-z0-9]{32}", "infracost.io/docs").word().closed(),
    rule("prefect-key", &["pnu_", "pnb_"], r"pn[ub]_[A-Za-z0-9]{36}", "docs.prefect.io").word(),
    rule("doppler-token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.said."], r"dp\.(?:pt|st|ct|sa|scim|audit|said)\.(?:[a-z0-9_\-]{2,35}\.)?[A-Za-z0-9]{40,44}", "docs.doppler.com"),
    rule("onepassword-token", &["ops_eyj"], r"ops_eyJ[A-Za-z0-9+/_\-]{200,}={0,3}", "developer.1password.com"),
    rule("onepassword-key", &["a3-"], r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}", "support.1password.com/secret-key").word(),
    rule("age-key", &["age-secret-key-"], r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}", "github.com/C2SP age"),
    // Monitoring
    rule("grafana-token", &["glsa_", "glc_"], r"(?:glsa_[A-Za-z0-9]{30,}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,})", "grafana.com/docs, service accounts"),
    rule("grafana-key", &["eyjrijoi"], r"eyJrIjoi[A-Za-z0-9+/]{60,}={0,3}", "grafana.com/docs, API keys").run(),
    rule("sentry-token", &["sntrys_", "sntryu_", "sntryi_"], r"sntry[sui]_[A-Za-z0-9+/=_]{40,}", "docs.sentry.io"),
    rule("newrelic-key", &["nrak-", "nrii-", "nrjs-", "nrra-", "nriq-"], r"NR(?:AK|II|JS|RA|IQ)-[A-Za-z0-9_\-]{19,}", "docs.newrelic.com"),
    rule("newrelic-key", &["nral"], r"[A-Fa-f0-9]{32,36}(?:FFFF)?NRAL", "docs.newrelic.com, licence keys").lead(|b| b.is_ascii_hexdigit(), 36).closed(),
    rule("dynatrace-token", &["dt0c01.", "dt0s01.", "dt0s16."], r"dt0[cs][0-9]{2}\.[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{64}", "docs.dynatrace.com"),
    rule("honeycomb-key", &["hcaik_", "hcxik_", "hcamk_"], r"hc[ax][im]k_[A-Za-z0-9]{50,}", "docs.honeycomb.io"),
    rule("posthog-key", &["phx_"], r"phx_[A-Za-z0-9]{40,}", "posthog.com/docs").word(),
    rule("sonar-token", &["squ_", "sqp_", "sqa_"], r"sq[upa]_[a-f0-9]{40}", "docs.sonarsource.com").word(),
    rule("snyk-token", &["snyk_"], r"snyk_[a-z]{3}\.[A-Za-z0-9_.\-]{20,}", "docs.snyk.io").random(),
    rule("launchdarkly-key", &["sdk-", "api-"], r"(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "launchdarkly.com/docs").word(),
    // Work tools
    rule("figma-token", &["figd_", "figo_", "figu_", "figor_", "figoh_"], r"fig[duo][rh]?_[A-Za-z0-9_\-]{30,}", "figma.com/developers"),
    rule("linear-key", &["lin_api_", "lin_oauth_", "lin_wh_"], r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}", "linear.app/developers"),
    rule("notion-token", &["ntn_", "secret_"], r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})", "developers.notion.com").word().random(),
    rule("asana-token", &["0/", "1/", "2/"], r"[012]/[0-9]{15,17}(?:/[0-9]{15,17})?:[a-f0-9]{32}", "developers.asana.com").word().closed(),
    rule("airtable-token", &["pat"], r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", "airtable.com/developers").word(),
    rule("hubspot-token", &["pat-"], r"pat-(?:na|eu|ap)[0-9]-[0-9a-f\-]{36}", "developers.hubspot.com").word(),
    rule("postman-key", &["pmat-"], r"PMAT-[A-Za-z0-9]{20,}", "learning.postman.com").word(),
    rule("contentful-token", &["cfpat-"], r"CFPAT-[A-Za-z0-9_\-]{40,}", "contentful.com/developers"),
    rule("typeform-token", &["tfp_"], r"tfp_[A-Za-z0-9_.=\-]{40,}", "typeform.com/developers").word(),
    rule("readme-key", &["rdme_"], r"rdme_[a-z0-9]{60,}", "docs.readme.com").word(),
    rule("frameio-token", &["fio-u-"], r"fio-u-[A-Za-z0-9_=\-]{60,}", "developer.frame.io"),
    rule("adobe-secret", &["p8e-"], r"p8e-[A-Za-z0-9]{32}", "developer.adobe.com").word(),
    rule("maxmind-key", &["_mmk"], r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", "dev.maxmind.com").lead(|b| alnum(b) || b == b'_', 36).closed(),
    rule("settlemint-token", &["sm_aat_", "sm_pat_", "sm_sat_"], r"sm_[aps]at_[A-Za-z0-9]{16,}", LEAKS).random(),
    rule("dropbox-token", &["sl."], r"sl\.(?:u\.)?[A-Za-z0-9_=\-]{100,}", "developers.dropbox.com").word(),
    rule("okta-token", &["ssws "], r"SSWS ([A-Za-z0-9_\-]{30,})", "developer.okta.com"),
    rule("twitter-token", &["aaaaaaaaaaaaaaaaaaaa"], r"A{20,24}[A-Za-z0-9%+/]{10,}(?:%3[Dd]|=)[A-Za-z0-9%]{30,}", "developer.x.com, bearer tokens").run(),
    rule("authress-key", &[".acc-", ".acc_"], r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9\-]{10,32}\.[A-Za-z0-9+/_=\-]{30,}", "authress.io docs").lead(|b| alnum(b) || b == b'_' || b == b'.', 50),
    rule("workos-key", &["sk_"], r"sk_[A-Za-z0-9]{60,}", "workos.com/docs").word().random(),
    rule("clerk-key", &["ak_live_", "ak_test_"], r"ak_(?:live|test)_[A-Za-z0-9]{30,}", "clerk.com/docs").word(),
    rule("microsoft-refresh-token", &["0.a", "1.a", "m.c"], r"(?:[01]\.A[A-Za-z0-9_\-]{20,}\.[A-Za-z0-9_.\-]{100,}|M\.C[0-9]{3}_[A-Za-z0-9_.!*\-]{100,})", "learn.microsoft.com/entra").run(),
    rule("private-key", &["ls0tls1crudjti"], r"LS0tLS1CRUdJTi(?:BQUklWQVRFIEtF|BSU0EgUFJJVkFURSBL|BFQyBQUklWQVRFIEtF|BEU0EgUFJJVkFURSBL|BFTkNSWVBURUQgUFJJVkFURSBL|BPUEVOU1NIIFBSSVZBVEUgS0VZ|BQR1AgUFJJVkFURSBL)(?:[A-Za-z0-9+/=_\-]{40,}(?:\r?\n[ \t>+|]*[A-Za-z0-9+/]{20,}={0,2})*|[A-Za-z0-9+/]{8,}(?:\r?\n[ \t>+|]*[A-Za-z0-9+/]{20,}={0,2})+)", "RFC 7468 in base64, as kubeconfig and Secret objects hold it"),
    rule("private-key", &["private-lines:"], r"Private-Lines: ?[0-9]+[ \t]*\r?\n([ \t>+|]*[A-Za-z0-9+/=]{8,}(?:[ \t]*\r?\n[ \t>+|]*[A-Za-z0-9+/]{64})*(?:[ \t]*\r?\n[ \t>+|]*[A-Za-z0-9+/=]{8,63})?)", "the PuTTY manual, appendix C: PPK files"),
    rule("private-key", &["---- begin ssh2 encrypted private key"], r"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----(?s:.){16,3900}?---- END SSH2 ENCRYPTED PRIVATE KEY ----", "ssh.com key files; RFC 4716 has the public ones"),
    rule("private-key", &["uhvuvfktvxnlci1lzxktrmls"], r"UHVUVFktVXNlci1LZXktRmlsZS[A-Za-z0-9+/=_\-]{40,}", "a PuTTY key file in base64"),
    rule("gcp-service-account", &["c2vydmljzv9hy2nvdw50", "nlcnzpy2vfywnjb3vud", "zzxj2awnlx2fjy291bn"], r"[A-Za-z0-9+/_\-]{0,64}(?:c2VydmljZV9hY2NvdW50|NlcnZpY2VfYWNjb3Vud|zZXJ2aWNlX2FjY291bn)[A-Za-z0-9+/=_\-]{400,}", "cloud.google.com/iam: a service account's key file in base64, at each alignment").lead(|b| alnum(b) || b"+/_-".contains(&b), 64),
    rule("docker-auths", &["eyjhdxrocyi6", "ewogicjhdxrocyi6", "ewoiyxv0ahmi"], r"(?:eyJhdXRocyI6|ewogICJhdXRocyI6|ewoJImF1dGhzIjog|ewoiYXV0aHMi)[A-Za-z0-9+/=_\-]{24,}", "docker config.json in base64, as Kubernetes holds it").run(),
    rule("gitea-token", &["sha1"], r#"sha1\\?": ?\\?"([0-9a-f]{40})\\?", ?\\?"token_last_eight"#, "Gitea and Forgejo: the answer of POST /users/NAME/tokens"),
    rule("mapbox-token", &["sk.eyj", "tk.eyj"], r"[st]k\.eyJ[A-Za-z0-9_\-]{40,}\.[A-Za-z0-9_\-]{20,}", "docs.mapbox.com/accounts/guides/tokens").word(),
    rule("gocardless-token", &["live_"], r"live_[A-Za-z0-9_\-=]{40}", LEAKS).word().random(),
    rule("lob-key", &["live_"], r"live_[a-f0-9]{35}", LEAKS).word().closed(),
    rule("defined-networking-key", &["dnkey-"], r"dnkey-[a-zA-Z0-9=_\-]{26}-[a-zA-Z0-9=_\-]{52}", LEAKS),
    rule("intra42-secret", &["s-s4t2ud-", "s-s4t2af-"], r"s-s4t2(?:ud|af)-[a-f0-9]{64}", LEAKS),
    rule("polar-token", &["polar_oat_", "polar_pat_"], r"polar_[op]at_[A-Za-z0-9]{32,}", "docs.polar.sh"),
    rule("jina-key", &["jina_"], r"jina_[A-Za-z0-9]{50,}", "jina.ai/api-dashboard").word(),
    rule("voyage-key", &["pa-"], r"pa-[A-Za-z0-9_\-]{43}", "docs.voyageai.com").word().random().closed(),
    rule("firecrawl-key", &["fc-"], r"fc-[0-9a-f]{32}", "docs.firecrawl.dev").word().closed(),
    rule("llamaindex-key", &["llx-"], r"llx-[A-Za-z0-9]{40,}", "docs.cloud.llamaindex.ai").word().random(),
    rule("runpod-key", &["rpa_"], r"rpa_[A-Z0-9]{40,}", "docs.runpod.io").word(),
    rule("wandb-key", &["wandb_v1_"], r"wandb_v1_[A-Za-z0-9_]{40,}", "docs.wandb.ai"),
    rule("axiom-token", &["xaat-", "xapt-"], r"xa[ap]t-[0-9a-f\-]{36}", "axiom.co/docs").word(),
    rule("scaleway-key", &["scw"], r"SCW[A-Z0-9]{17}", "scaleway.com/docs, access keys").word().closed().random(),
    rule("n8n-key", &["n8n_api_"], r"n8n_api_[A-Za-z0-9]{40,}", "docs.n8n.io"),
    rule("chromatic-token", &["chpt_"], r"chpt_[a-z0-9]{12,}", "chromatic.com/docs").word().random(),
    // Webhooks: whoever knows the address may post
    rule("webhook", &["hooks.zapier.com/"], r"hooks\.zapier\.com/hooks/(?:catch|standard)/([0-9]{5,9}/(?:[b-z0-9]|a[ac-z0-9])[a-z0-9]{4,}(?:/silent)?)", "help.zapier.com, webhooks"),
    rule("webhook", &[".make.com/", "hook.integromat.com/"], r"(?:\.make|hook\.integromat)\.com/([a-z0-9]{26,40})", "help.make.com, webhooks"),
    rule("webhook", &["maker.ifttt.com/"], r"maker\.ifttt\.com/(?:use/|trigger/[^\s/]+/(?:json/)?with/key/)([A-Za-z0-9_\-]{20,})", "ifttt.com/maker_webhooks"),
    rule("webhook", &[".m.pipedream.net"], r"[a-z0-9]{12,}\.m\.pipedream\.net", "pipedream.com/docs").lead(alnum, 24),
    rule("webhook", &["/webhook/", "/webhook-test/", "/webhook-waiting/"], r"/webhook(?:-test|-waiting)?/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})", "docs.n8n.io, Webhook node; Hookshot of Matrix"),
    rule("webhook", &["/hooks/"], r"/hooks/([a-z0-9]{26})", "developers.mattermost.com, incoming webhooks").closed(),
    rule("webhook", &["/hooks/"], r"/hooks/([A-Za-z0-9]{17,24}/[A-Za-z0-9]{40,})", "docs.rocket.chat, integrations"),
    rule("webhook", &["events.pagerduty.com/"], r"events\.pagerduty\.com/(?:integration/|x-ere/)([A-Za-z0-9]{32})", "developer.pagerduty.com"),
    rule("webhook", &["/bot/v2/hook/"], r"/bot/v2/hook/([0-9a-f\-]{36})", "open.feishu.cn and open.larksuite.com, custom bots"),
    rule("webhook", &["/webhooks/incoming/"], r"/webhooks/incoming/([A-Za-z0-9_\-]{60,})", "developer.webex.com"),
    rule("discord-webhook", &["/webhooks/"], r"/webhooks/[0-9]{15,22}/[A-Za-z0-9_\-]{40,}", "discord.com/developers/docs/resources/webhook, with a version in the path"),
    rule("webhook", &["hc-ping.com/"], r"hc-ping\.com/([0-9a-f\-]{36}|[A-Za-z0-9_\-]{22}/[a-z0-9_\-]+)", "healthchecks.io/docs"),
    rule("webhook", &["cronitor.link/"], r"cronitor\.link/(?:p/)?([0-9a-f]{32})", "cronitor.io/docs"),
    rule("webhook", &["/heartbeat/"], r"/heartbeat/([A-Za-z0-9]{24,})", "betterstack.com/docs"),
    rule("webhook", &["/build_hooks/"], r"/build_hooks/([0-9a-f]{24})", "docs.netlify.com, build hooks").closed(),
    rule("webhook", &["/deploy_hooks/"], r"/deploy_hooks/([0-9a-f\-]{36})", "developers.cloudflare.com/pages"),
    rule("webhook", &["/integrations/deploy/"], r"/integrations/deploy/(?:prj_)?[A-Za-z0-9]{20,}/([A-Za-z0-9]{8,})", "vercel.com/docs, deploy hooks"),
    rule("webhook", &["/deploy/srv-"], r"/deploy/srv-[a-z0-9]{16,24}\?key=([A-Za-z0-9_\-]{8,})", "render.com/docs/deploy-hooks"),
    rule("webhook", &["/oncall/integrations/"], r"/oncall/integrations/v1/[a-z_]{2,40}/([A-Za-z0-9]{20,})", "grafana.com/docs/oncall"),
    rule("webhook", &["alert.victorops.com/"], r"alert\.victorops\.com/integrations/generic/[0-9]{8}/alert/([0-9a-f\-]{36})", "help.victorops.com"),
    rule("webhook", &["webhooks.workato.com/"], r"webhooks\.workato\.com/webhooks/(?:rest/)?([0-9a-f\-]{36})", "docs.workato.com"),
    // Wallets
    rule("private-key", &["nsec1"], r"nsec1[02-9ac-hj-np-z]{58}", "NIP-19 of Nostr").word().closed(),
    rule("private-key", &["ncryptsec1"], r"ncryptsec1[02-9ac-hj-np-z]{100,}", "NIP-49 of Nostr").word(),
    rule("private-key", &["xprv", "yprv", "zprv", "tprv", "uprv", "vprv"], r"[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100,112}", "BIP 32 and SLIP 132, extended private keys").word().closed(),
    // Less common services
    rule("adafruit-key", &["aio_"], r"aio_[A-Za-z0-9]{28}", "io.adafruit.com/api/docs").word().closed(),
    rule("neon-password", &["npg_"], r"npg_[A-Za-z0-9]{12}", "neon.tech/docs, the passwords of roles").word().closed().generated(),
    rule("artifactory-token", &["cmvmdgtuoj"], r"cmVmdGtuOj[A-Za-z0-9+/]{40,}={0,2}", "jfrog.com/help, reference tokens: reftkn: in base64"),
    rule("gcp-hmac-key", &["goog1e"], r"GOOG1E[A-Z0-9]{54,58}", "cloud.google.com/storage/docs/authentication/hmackeys").word().closed().random(),
    rule("volcengine-key", &["aklt"], r"AKLT[A-Za-z0-9+/]{40,}={0,2}", "volcengine.com/docs").word(),
    rule("yandex-key", &["ycaje", "ycm"], r"YC(?:AJE[A-Za-z0-9_\-]{20}|M[A-Za-z0-9_\-]{37,38})", "yandex.cloud, static access keys").word().closed().random(),
    rule("digitalocean-key", &["do00", "do801"], r"DO(?:00|801)[A-Z0-9]{15,17}", "docs.digitalocean.com, Spaces").word().closed().random(),
    rule("upcloud-token", &["ucat_"], r"ucat_[A-Za-z0-9]{24,}", "upcloud.com/docs").word(),
    rule("xata-key", &["xau_"], r"xau_[A-Za-z0-9]{32,}", "xata.io/docs").word(),
    rule("aiven-token", &["aivenv1"], r"aivenv1[A-Za-z0-9+/=]{100,}", "aiven.io/docs").word(),
    rule("confluent-key", &["cflt"], r"cflt[A-Za-z0-9+/]{56,64}", "docs.confluent.io").word().generated(),
    rule("cockroach-key", &["ccdb1_"], r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}", "cockroachlabs.com/docs").word(),
    rule("newrelic-key", &["eu01xx"], r"eu01xx[A-Fa-f0-9]{30}NRAL", "docs.newrelic.com, licence keys of the EU").word(),
    rule("datadog-key", &["ddapp_", "ddpat_"], r"dd(?:app|pat)_[A-Za-z0-9]{30,}", "docs.datadoghq.com").word(),
    rule("posthog-key", &["phs_"], r"phs_[A-Za-z0-9]{40,}", "posthog.com/docs").word(),
    rule("checkly-key", &["cu_"], r"cu_[0-9a-f]{32}", "checklyhq.com/docs").word().closed(),
    rule("cartesia-key", &["sk_car_"], r"sk_car_[A-Za-z0-9]{20,}", "docs.cartesia.ai").random(),
    rule("modal-token", &["ak-", "as-"], r"a[ks]-[A-Za-z0-9]{22}", "modal.com/docs").word().closed().generated(),
    rule("mem0-key", &["m0-"], r"m0-[A-Za-z0-9]{40}", "docs.mem0.ai").word().closed().generated(),
    rule("cursor-key", &["key_", "crsr_"], r"(?:key|crsr)_[0-9a-f]{64}", "docs.cursor.com").word().closed(),
    rule("apify-token", &["apify_api_"], r"apify_api_[A-Za-z0-9]{30,}", "docs.apify.com"),
    rule("helicone-key", &["sk-helicone-"], r"sk-helicone-[a-z0-9\-]{24,}", "docs.helicone.ai").random(),
    rule("adyen-key", &["aqe"], r"AQE[A-Za-z0-9+/]{60,}={0,2}-[A-Za-z0-9+/]{30,}={0,2}-[^\s\x22\x27\[]{8,}", "docs.adyen.com").run(),
    rule("mollie-key", &["live_", "access_"], r"(?:live|access)_[A-Za-z0-9]{30,}", "docs.mollie.com").word().generated(),
    rule("paddle-key", &["pdl_"], r"pdl_(?:live_apikey|sdbx_apikey|ntfset)_01[a-z0-9]{24}_[A-Za-z0-9+/]{20,}(?:_[A-Za-z0-9]{3})?", "developer.paddle.com").word(),
    rule("midtrans-key", &["mid-server-"], r"(?:SB-)?Mid-server-[A-Za-z0-9_\-]{20,}", "docs.midtrans.com").random(),
    rule("xendit-key", &["xnd_"], r"xnd_(?:production|development)_[A-Za-z0-9]{30,}", "docs.xendit.co").word(),
    rule("asaas-key", &["$aact_"], r"\$aact_[A-Za-z0-9_:=+/\-]{40,}", "docs.asaas.com"),
    rule("mercadopago-token", &["app_usr-"], r"APP_USR-[0-9]{12,19}-[0-9]{6}-[0-9a-f]{32}-[0-9]{5,12}", "mercadopago.com/developers"),
    rule("woocommerce-key", &["ck_", "cs_"], r"c[ks]_[0-9a-f]{40}", "woocommerce.com/document/woocommerce-rest-api").word().closed(),
    rule("mandrill-key", &["md-"], r"md-[A-Za-z0-9_\-]{22}", "mailchimp.com/developer/transactional").word().closed().generated(),
    rule("mailersend-token", &["mlsn."], r"mlsn\.[0-9a-f]{64}", "developers.mailersend.com").word(),
    rule("courier-key", &["pk_prod_"], r"pk_prod_[A-Z0-9]{28}", "courier.com/docs").word().closed(),
    rule("intercom-token", &["dg9ro"], r"dG9rO[A-Za-z0-9+/]{50,60}={0,2}", "developers.intercom.com: tok: in base64").run(),
    rule("salesforce-token", &["!aq"], r"00D[A-Za-z0-9]{12,15}!AQ[A-Za-z0-9_.]{60,}", "developer.salesforce.com, session ids").lead(alnum, 18),
    rule("salesforce-token", &["5aep861"], r"5Aep861[A-Za-z0-9_.=]{60,}", "developer.salesforce.com, refresh tokens").word(),
    rule("clickup-token", &["pk_"], r"pk_[0-9]{6,9}_[A-Z0-9]{32}", "clickup.com/api").word().closed(),
    rule("klaviyo-key", &["pk_"], r"pk_[0-9a-f]{34}", "developers.klaviyo.com").word().closed(),
    rule("trello-token", &["atta"], r"ATTA[0-9a-f]{64}[0-9A-F]{8}", "developer.atlassian.com/cloud/trello").word().closed(),
    rule("canva-secret", &["cnvca"], r"cnvca[A-Za-z0-9_\-]{40,}", "canva.dev/docs").word(),
    rule("instagram-token", &["igqv", "igaa"], r"IG(?:QV|AA)[A-Za-z0-9_\-]{80,}", "developers.facebook.com/docs/instagram").run(),
    rule("linkedin-secret", &["wpl_ap"], r"WPL_AP[01]\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/]{6,}={0,2}", "learn.microsoft.com/linkedin").word(),
    rule("tiktok-token", &["act."], r"act\.[A-Za-z0-9!]{60,}", "developers.tiktok.com").word().generated(),
    rule("twitch-token", &["oauth:"], r"oauth:[a-z0-9]{30}", "dev.twitch.tv, chat").word().closed().random(),
    rule("infisical-token", &["st."], r"st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}", "infisical.com/docs").word(),
    rule("headscale-key", &["hskey-"], r"hskey-[a-z]{3,6}-[A-Za-z0-9]{12}-[A-Za-z0-9]{48,}", "headscale.net").word(),
    rule("netbird-token", &["nbp_"], r"nbp_[A-Za-z0-9]{36}", "docs.netbird.io").word(),
    rule("cloudflare-token", &["eyjhijoi"], r"eyJhIjoi[A-Za-z0-9+/]{100,}={0,2}", "developers.cloudflare.com, tunnels").run(),
    rule("flagsmith-key", &["ser."], r"ser\.[A-Za-z0-9]{20,}", "docs.flagsmith.com").word().generated(),
    rule("configcat-key", &["configcat-sdk-1/"], r"configcat-sdk-1/[A-Za-z0-9_\-]{22}/[A-Za-z0-9_\-]{22}", "configcat.com/docs"),
    rule("statsig-key", &["secret-"], r"secret-[A-Za-z0-9]{40,}", "docs.statsig.com").word().generated(),
    rule("stytch-secret", &["secret-live-", "secret-test-"], r"secret-(?:live|test)-[A-Za-z0-9_\-]{30,}=?", "stytch.com/docs").word().random(),
    rule("ory-token", &["ory_"], r"ory_(?:at|rt|ac|pat|st|wak|apikey)_[A-Za-z0-9_\-]{24,}(?:\.[A-Za-z0-9_\-]{20,})?", "ory.sh/docs").word().random(),
    rule("gitbook-token", &["gb_api_"], r"gb_api_[A-Za-z0-9]{30,}", "developer.gitbook.com").word(),
    rule("nightfall-key", &["nf-"], r"NF-[A-Za-z0-9]{32}", "docs.nightfall.ai").word().closed().generated(),
    rule("onesignal-key", &["os_v2_"], r"os_v2_(?:app|org)_[a-z2-7]{80,}", "documentation.onesignal.com").word(),
    rule("pubnub-key", &["sec-c-"], r"sec-c-[A-Za-z0-9+/=\-]{36,}", "pubnub.com/docs").word(),
    rule("telnyx-key", &["key0"], r"KEY0[0-9A-F]{28,34}_[A-Za-z0-9]{20,24}", "developers.telnyx.com").word().closed(),
    rule("seam-key", &["seam_"], r"seam_[A-Za-z0-9]{4,}_[A-Za-z0-9]{20,}", "docs.seam.co").word().generated(),
    rule("ttn-key", &["nnsxs."], r"NNSXS\.[A-Z2-7]{39}\.[A-Z2-7]{52}", "thethingsindustries.com/docs").word(),
    rule("dbt-token", &["dbtu_", "dbtc_"], r"dbt[uc]_[A-Za-z0-9_\-]{36,}={0,2}", "docs.getdbt.com").word().random(),
    rule("segment-token", &["sgp_"], r"sgp_[A-Za-z0-9]{64}", "segment.com/docs").word().closed(),
    rule("appwrite-key", &["standard_"], r"standard_[0-9a-f]{200,}", "appwrite.io/docs").word(),
    rule("rootly-key", &["rootly_"], r"rootly_[0-9a-f]{64}", "docs.rootly.com").word(),
    rule("firehydrant-key", &["fhb-"], r"fhb-[0-9a-f]{32}", "docs.firehydrant.com").word(),
    rule("rancher-token", &["token-", "kubeconfig-u"], r"(?:token|kubeconfig-u(?:ser)?)-[a-z0-9.\-]{5,40}:[a-z0-9]{54}", "ranchermanager.docs.rancher.com").word().closed(),
    rule("portainer-key", &["ptr_"], r"ptr_[A-Za-z0-9+/]{43}=", "docs.portainer.io").word(),
    rule("percy-token", &["web_", "app_", "auto_"], r"(?:web|app|auto)_[0-9a-f]{64}", "percy.io docs").word().closed(),
    rule("lambdatest-key", &["lt_"], r"LT_[A-Za-z0-9]{40,}", "lambdatest.com/support").word().generated(),
    rule("jumpcloud-key", &["jca_"], r"jca_[A-Za-z0-9]{32,}", "jumpcloud.com/support").word(),
    rule("inngest-key", &["signkey-"], r"signkey-(?:prod|test|branch)-[0-9a-f]{32,}", "inngest.com/docs").word(),
    rule("trigger-key", &["tr_"], r"tr_(?:prod|dev|stg|preview|pat)_[A-Za-z0-9]{20,}", "trigger.dev/docs").word().random(),
    rule("valtown-token", &["vtwn_"], r"vtwn_[A-Za-z0-9]{24,}", "docs.val.town").word(),
    rule("deno-token", &["ddp_", "ddo_"], r"dd[po]_[A-Za-z0-9]{36}", "docs.deno.com/deploy").word().closed(),
    rule("unkey-key", &["unkey_"], r"unkey_[A-Za-z0-9]{20,}", "unkey.com/docs").word().generated(),
    rule("brave-key", &["bsa"], r"BSA[A-Za-z0-9_\-]{27,28}", "brave.com/search/api").word().closed().generated(),
    rule("retool-token", &["retool_01"], r"retool_01[a-z0-9]{24}", "docs.retool.com").word(),
    rule("backblaze-key", &["k00"], r"K00[0-9][A-Za-z0-9+/]{27}", "backblaze.com/docs").word().closed().generated(),
    rule("tinybird-token", &["p.eyj"], r"p\.eyJ[A-Za-z0-9_\-]{20,}\.[A-Za-z0-9_\-]{30,}", "tinybird.co/docs").word(),
    rule("materialize-password", &["mzp_"], r"mzp_[0-9a-f]{64}", "materialize.com/docs").word(),
    rule("clickhouse-key", &["4b1d"], r"4b1d[A-Za-z0-9]{38}", "clickhouse.com/docs/cloud").word().closed().generated(),
    rule("hex-token", &["hxtp_", "hxtw_"], r"hxt[pw]_[0-9a-f]{64}", "learn.hex.tech").word(),
    rule("dataiku-key", &["dkuaps-", "dkuucs-", "dkuadm-"], r"dku(?:aps|ucs|adm)-[A-Za-z0-9]{32}", "doc.dataiku.com").word(),
    rule("zuplo-key", &["zpka_"], r"zpka_[0-9a-z]{30,}_[0-9a-f]{8}", "zuplo.com/docs").word(),
    rule("kong-token", &["kpat_", "spat_"], r"[ks]pat_[A-Za-z0-9]{40,}", "docs.konghq.com/konnect").word(),
    rule("gitpod-token", &["gitpod_pat_"], r"gitpod_pat_[A-Za-z0-9_.\-]{40,}", "gitpod.io/docs"),
    rule("codesandbox-token", &["csb_v1_"], r"csb_v1_[A-Za-z0-9_\-]{40,}", "codesandbox.io/docs").word(),
    rule("jetbrains-token", &["perm:", "perm-"], r"perm[:\-][A-Za-z0-9+/]{4,}={0,2}\.[A-Za-z0-9+/\-]{4,}={0,2}\.[A-Za-z0-9]{20,}", "jetbrains.com/help/hub, permanent tokens").word(),
    rule("teamcity-token", &["eyj0exaioiaivenwmij9."], r"eyJ0eXAiOiAiVENWMiJ9\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}", "jetbrains.com/help/teamcity"),
    rule("hcaptcha-secret", &["es_"], r"ES_[0-9a-f]{32}", "docs.hcaptcha.com").word().closed(),
    rule("turnstile-secret", &["0x4aaaa"], r"0x4AAAA[A-Za-z0-9_\-]{26,}", "developers.cloudflare.com/turnstile").word().generated(),
    rule("persona-key", &["persona_"], r"persona_(?:production|sandbox)_[0-9a-f\-]{36}", "docs.withpersona.com").word(),
    rule("onfido-token", &["api_live", "api_sandbox"], r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[A-Za-z0-9_\-]{11}\.[A-Za-z0-9_\-]{32}", "documentation.onfido.com").word(),
    rule("paseto", &["v1.local.", "v2.local.", "v3.local.", "v4.local.", "v1.public.", "v2.public.", "v3.public.", "v4.public."], r"v[1-4]\.(?:local|public)\.[A-Za-z0-9_\-]{60,}(?:\.[A-Za-z0-9_\-]+)?", "paseto.io").word(),
    rule("ramp-secret", &["ramp_tok_", "ramp_sec_"], r"ramp_(?:tok|sec)_[A-Za-z0-9]{30,}", "docs.ramp.com").word(),
    rule("brex-token", &["bxt_"], r"bxt_[A-Za-z0-9]{36,}", "developer.brex.com").word(),
    rule("secret-token", &["secret-token:"], r"secret-token:([A-Za-z0-9_\-.%~]{20,})", "RFC 8959"),
    rule("svix-key", &["testsk_", "sk_"], r"(?:test)?sk_[A-Za-z0-9]{30,}", "docs.svix.com, docs.pagar.me and others").word().generated(),
    rule("dnsimple-token", &["dnsimple_"], r"dnsimple_[aou]_[A-Za-z0-9]{30,}", "developer.dnsimple.com").word(),
    rule("porkbun-key", &["pk1_", "sk1_"], r"[ps]k1_[0-9a-f]{64}", "porkbun.com/api").word(),
    rule("ntfy-token", &["tk_"], r"tk_[a-z0-9]{29}", "docs.ntfy.sh").word().closed().random(),
    rule("slack-token", &["xwfp-"], r"xwfp-[0-9]{8,}-[A-Za-z0-9\-]{20,}", "docs.slack.dev, workflow tokens"),
    rule("api-key", &["_live_", "_pat_", "_apikey_", "_prod_", "_secret_"], r"(?:[a-oq-z][a-z0-9]{1,11}|p[a-jl-z0-9][a-z0-9]{0,10})_(?:live|pat|apikey|prod|secret)_(?:[a-z]{2,12}_)?[A-Za-z0-9]{24,}", "the form that many services took from Stripe; pk_ is public").lead(|b| b.is_ascii_lowercase() || b.is_ascii_digit(), 12).word().generated(),
    // Hashes of passwords
    rule("password-hash", &["$5$", "$6$"], r"\$[56]\$(?:rounds=[0-9]{1,9}\$)?[A-Za-z0-9./]{5,16}\$[A-Za-z0-9./]{43,86}", CRYPT).closed(),
    rule("password-hash", &["$6$", "$7$"], r"\$[67]\$(?:[0-9]{1,7}\$)?[A-Za-z0-9+/]{11,88}={0,2}\$[A-Za-z0-9+/]{86,88}={0,2}", "mosquitto_passwd(1)").closed(),
    rule("password-hash", &["$y$", "$gy$"], r"\$g?y\$[A-Za-z0-9./]{1,12}\$[A-Za-z0-9./]{6,86}\$[A-Za-z0-9./]{43}", CRYPT).closed(),
    rule("password-hash", &["$7$"], r"\$7\$[A-Za-z0-9./]{11,90}\$[A-Za-z0-9./]{43}", CRYPT).closed(),
    rule("password-hash", &["$2a$", "$2b$", "$2y$", "$2x$"], r"\$2[abxy]\$[0-3][0-9]\$[A-Za-z0-9./]{53}", CRYPT).closed(),
    rule("password-hash", &["$1$", "$apr1$", "$md5$"], r"\$(?:1|apr1|md5)\$[A-Za-z0-9./]{4,8}\$[A-Za-z0-9./]{22}", "crypt(5); Apache's and Cisco's MD5").closed(),
    rule("password-hash", &["$sha1$"], r"\$sha1\$[0-9]{1,7}\$[A-Za-z0-9./]{4,64}\$[A-Za-z0-9./]{28}", CRYPT).closed(),
    rule("password-hash", &["$8$", "$9$"], r"\$[89]\$[A-Za-z0-9./]{14}\$[A-Za-z0-9./]{43}", "Cisco IOS, types 8 and 9").closed(),
    rule("password-hash", &["\"$9$"], r#""(\$9\$[A-Za-z0-9./\-]{8,})""#, "Junos, a reversible encoding"),
    rule("password-hash", &["$argon2"], r"\$argon2(?:id|i|d)\$(?:v=[0-9]{1,3}\$)?[mtp]=[0-9]+,[mtp]=[0-9]+,[mtp]=[0-9]+(?:,[a-z]+=[A-Za-z0-9+/]*)*\$[A-Za-z0-9+/]{8,}={0,2}\$[A-Za-z0-9+/]{16,}={0,2}", "P-H-C, string format"),
    rule("password-hash", &["$scrypt$", "$bcrypt-sha256$", "$pbkdf2"], r"\$(?:scrypt|bcrypt-sha256|pbkdf2(?:-sha(?:1|256|512))?)\$(?:[a-z]=?[0-9a-z]*[a-z=,0-9]*\$|[0-9]+\$){1,3}[A-Za-z0-9./+]{8,}={0,2}\$[A-Za-z0-9./+]{20,}={0,2}", "passlib, P-H-C"),
    rule("password-hash", &["$p$", "$h$", "$s$"], r"\$(?:[PH]\$[A-Za-z0-9./]{31}|S\$[A-Za-z0-9./]{52})", "phpass of WordPress, phpBB and Drupal").closed(),
    rule("password-hash", &["$krb5tgs$", "$krb5asrep$", "$krb5pa$", "$dcc2$", "$nt$", "$ml$"], r"(?i:\$(?:krb5(?:tgs|asrep|pa)|dcc2|nt|ml)\$)[^\s\x22\x27`]{32,}", "hashcat, example hashes; macOS"),
    rule("password-hash", &["aad3b435b51404eeaad3b435b51404ee:"], r"(?i:aad3b435b51404eeaad3b435b51404ee):([0-9A-Fa-f]{32})", "Windows, the second half of an LM and NT pair").closed(),
    rule("password-hash", &["{ssha", "{sha", "{smd5", "{md5"], r"\{(?i:S?(?:SHA|MD5)(?:1|224|256|384|512)?)(?:\.b64)?\}[A-Za-z0-9+/]{22,}={0,2}", "RFC 2307; OpenLDAP, slappasswd"),
    rule("password-hash", &["{pbkdf2"], r"\{(?i:PBKDF2)(?:-[A-Z0-9]+)?\}[0-9]+\$[A-Za-z0-9+/.]{8,}={0,2}\$[A-Za-z0-9+/.]{20,}={0,2}", "OpenLDAP, pw-pbkdf2"),
    rule("password", &["{noop}", "{plain}", "{cleartext}"], r"\{(?i:noop|PLAIN|CLEARTEXT)\}([^\s\x22\x27<>:$({]{6,64})", "Spring Security; Dovecot, password schemes"),
    rule("password", &["{xor}"], r"\{(?i:xor)\}([A-Za-z0-9+/]{8,}={0,2})", "WebSphere, a reversible encoding"),
    rule("password-hash", &["scram-sha-"], r"SCRAM-SHA-(?:1|256|512)\$[0-9]+:[A-Za-z0-9+/]{12,}={0,2}\$[A-Za-z0-9+/]{26,}={0,2}:[A-Za-z0-9+/]{26,}={0,2}", "PostgreSQL, pg_authid"),
    rule("password-hash", &["'md5", "| md5", "\tmd5"], r#"(?:['\t]|\| )(md5[0-9a-f]{32})(?:["'\t ]|\s|\z)"#, "PostgreSQL, pg_authid"),
    rule("password-hash", &["pbkdf2_sha", "pbkdf2:sha"], r"pbkdf2(?:_sha(?:1|256|512)\$[0-9]+|:sha(?:1|256|512)(?::[0-9]+)?)\$[A-Za-z0-9]{6,}\$[A-Za-z0-9+/]{27,}={0,2}", "Django; Werkzeug"),
    rule("password-hash", &["scrypt:", "scrypt$"], r"scrypt(?::[0-9]+:[0-9]+:[0-9]+\$[A-Za-z0-9]{6,}|\$[A-Za-z0-9]{6,}\$[0-9]+\$[0-9]+\$[0-9]+)\$[A-Za-z0-9+/]{64,}={0,2}", "Werkzeug; Django").word(),
    rule("password-hash", &["sha1$", "sha256$", "sha512$"], r"sha(?:1|256|512)\$[A-Za-z0-9]{6,22}\$[0-9a-f]{40,128}", "Django and Werkzeug, older releases").word().closed(),
    rule("password-hash", &["grub.pbkdf2."], r"grub\.pbkdf2\.sha512\.[0-9]+\.[0-9A-F]{64,}\.[0-9A-F]{64,}", "grub-mkpasswd-pbkdf2(1)"),
    rule("password-hash", &["$a$005$"], r"\$A\$005\$[^\x22\x27\n]{43,70}", "MySQL, caching_sha2_password"),
    rule("password-hash", &["0x24412430303524"], r"0x24412430303524[0-9A-Fa-f]{80,}", "MySQL, the same as print_identified_with_as_hex writes it"),
    rule("password-hash", &[",'*", " '*", "('*", "\t*", "| *", "string: *"], r"(?:[,( ]'|\t|\| |string: )(\*[0-9A-F]{40})(?:['\s]|\z)", "MySQL, mysql_native_password"),
    rule("password-hash", &["0x0200", "0x0100"], r"(0x0[12]00[0-9A-Fa-f]{40,140}) (?i:HASHED)", "SQL Server, CREATE LOGIN"),
    // Redis
    rule("password", &["\"auth\" \""], r#"(?i:"AUTH") (?:"[^"\s]{1,64}" )?"([^"\s]{4,128})""#, "redis.io, MONITOR"),
    rule("password", &["> auth "], r#"[0-9\[\]]{2,10}> (?i:AUTH) (?:[^\s"']{1,64} )?["']?([^\s"']{4,128})"#, "redis.io, AUTH").lead(|b| b.is_ascii_digit() || b == b'[' || b == b']', 10),
    rule("password", &["hello 3 auth "], r#"(?i:hello 3 auth) [^\s"']{1,64} ([^\s"']{4,128})"#, "redis.io, HELLO"),
    rule("password", &["setuser"], r#"(?i:setuser)"? "?[^\s"]{1,64}"? (?:"?[^\s>"]{1,64}"? ){0,12}"?>([^\s"']{4,128})"#, "redis.io, ACL SETUSER"),
    rule("password-hash", &["on #"], r"on #([0-9a-f]{64})", "redis.io, ACL LIST").word().closed(),
    rule("password", &["\"requirepass\" \"", "\"masterauth\" \"", "set requirepass ", "set masterauth "], r#"(?i:"(?:requirepass|masterauth)" "|set (?:requirepass|masterauth) "?)([^"\s]{4,128})"#, "redis.io, CONFIG SET"),
    // SQL and other statements
    rule("password", &["identified by ", "identified with ", "identified via ", "securestring "], r#"(?i:identified(?: (?:with|via) ['\x22`]?[a-z0-9_]+['\x22`]?)? (?:by|as|using)(?: password| values)?|securestring) ["']([^"'\s]{6,400})["']"#, "MySQL and Oracle SQL; PowerShell"),
    rule("password", &["l2tpd", "pptpd"], r#"(?:l2tpd|pptpd)"?[ \t]+"?([^"\s]{6,64})"?[ \t]+[*0-9]"#, "pppd(8): chap-secrets").word(),
    rule("password", &["eap \"", "xauth \"", "ntlm \""], r#"(?:EAP|XAUTH|NTLM) "([^"\s]{6,64})""#, "ipsec.secrets(5)").word(),
    rule("password", &["* \""], r#"\* "([^"\s]{8,64})" (?:\*|[0-9])"#, "pppd(8): chap-secrets"),
    // Forms that many services use
    rule("jwt", &["eyj"], r"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{4,}\.[A-Za-z0-9_\-]*", "RFC 7519").run(),
    rule("jwe", &["eyj"], r"eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}", "RFC 7516").run(),
    rule("basic-credentials", &["ec1hy2nlc3mtdg9rzw46"], r"eC1hY2Nlc3MtdG9rZW46[A-Za-z0-9+/]{16,}={0,2}", "actions/checkout, base64 of x-access-token:"),
    rule("device-code", &["one-time code: ", "enter the code ", "enter code ", "one-time code (", "user code: ", "device code: "],
        r"(?i:[a-z -]*code:? ?\(?) ?([A-Z0-9]{4}-[A-Z0-9]{4})", "RFC 8628; gh auth login"),
];

/// A type of secret that is recognised by its own form.
pub struct Type {
    /// The name in the mark, such as `github-token`.
    pub name: &'static str,
    /// The form, an expression of the `regex` crate over bytes.
    pub pattern: &'static str,
    /// Where the form is documented.
    pub source: &'static str,
}

/// Every type of secret that is recognised by its own form; a name with several forms occurs several times.
pub fn types() -> impl Iterator<Item = Type> {
    RULES.iter().map(|rule| Type {
        name: rule.name,
        pattern: rule.pattern,
        source: rule.source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_compiles_and_has_a_source_and_lower_case_keys() {
        for (nth, rule) in RULES.iter().enumerate() {
            assert!(regex(nth).as_str().starts_with(r"\A"));
            assert!(
                !rule.source.is_empty() && !rule.keys.is_empty(),
                "{}",
                rule.name
            );
            for key in rule.keys {
                assert_eq!(*key, key.to_ascii_lowercase(), "{}", rule.name);
            }
        }
    }

    #[test]
    fn a_key_of_postman_is_named_after_postman() {
        let key = format!(
            "PMAK-{}-{}",
            "258fb5719ee9".repeat(2),
            "c95ec21f7".repeat(4)
        );
        let found = crate::redact::Redactor::new(&[]).find(&key[..64]);
        assert_eq!(found, Some("postman-key"));
    }

    #[test]
    fn a_mark_matches_no_row() {
        for rule in RULES {
            let mark = format!("[REDACTED:{}]", rule.name);
            for (nth, other) in RULES.iter().enumerate() {
                for at in 0..mark.len() {
                    assert!(
                        !regex(nth).is_match(&mark.as_bytes()[at..]),
                        "{}",
                        other.name
                    );
                }
            }
        }
    }
}
